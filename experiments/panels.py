"""What the pictures of trainings share: panels of an SVG with curves by step, and how figures are written."""
import csv


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def plain(share):
    return f"{share:.3f}".lstrip("0")


class Panel:
    """Axes of a picture, and lines in them."""

    WIDTH, HEIGHT = 300, 170

    def __init__(self, x, y, title, steps, low, high, marks):
        self.x, self.y, self.steps, self.low, self.high = x, y, steps, low, high
        self.parts = [f'<text x="{x}" y="{y - 8}" font-weight="bold">{title}</text>',
                      f'<rect x="{x}" y="{y}" width="{self.WIDTH}" height="{self.HEIGHT}" fill="none" stroke="#999"/>']
        for mark in marks:
            at = self.at(0, mark)[1]
            self.parts.append(f'<line x1="{x}" x2="{x + self.WIDTH}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
            self.parts.append(f'<text x="{x - 6}" y="{at + 4:.1f}" text-anchor="end">{plain(mark)}</text>')
        for share in (0, 0.5, 1):
            self.parts.append(f'<text x="{x + share * self.WIDTH:.0f}" y="{y + self.HEIGHT + 15}" '
                              f'text-anchor="middle">{share * steps:.0f}</text>')

    def at(self, step, value):
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.x + self.WIDTH * step / self.steps, self.y + self.HEIGHT * (1 - share)

    def line(self, points, colour, dashed=False):
        path = " ".join("{:.1f},{:.1f}".format(*self.at(*point)) for point in points)
        style = ' stroke-dasharray="3 3" stroke-opacity="0.6"' if dashed else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.3"{style}/>')


def write_svg(path, height, parts, colours):
    """the panels, and below them the names in their colours"""
    legend = [f'<text x="{50 + 130 * i}" y="{height - 15}" fill="{colour}">{name}</text>'
              for i, (name, colour) in enumerate(colours.items())]
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 {height}" font-family="sans-serif" font-size="11">\n'
        f'<rect width="740" height="{height}" fill="#fff"/>\n' + "\n".join(parts + legend) + "\n</svg>\n", encoding="utf-8")


def write_table(page, header, lines):
    """the page's text up to its table, then the new table"""
    head = page.read_text(encoding="utf-8").split("\n" + header[0][:12])[0].rstrip("\n")
    page.write_text(head + "\n\n" + "\n".join(header + lines) + "\n", encoding="utf-8")


def write_curves(path, runs):
    """runs: {(network, size, seed): [{step, loss, held_out}]}"""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("network,size,seed,step,loss,held_out\n")
        for (network, size, seed), curve in runs.items():
            for row in curve:
                file.write(f"{network},{size},{seed},{row['step']:.0f},{row['loss']:.5f},{row['held_out']:.5f}\n")
