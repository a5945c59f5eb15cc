#include "elastane/train/loss.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

namespace elastane::train {
namespace {

using at::Tensor;

constexpr std::array<std::pair<std::string_view, LossKind>, 4> kKinds = {{{"squared", LossKind::squared},
                                                                          {"absolute", LossKind::absolute},
                                                                          {"huber", LossKind::huber},
                                                                          {"cross_entropy", LossKind::cross_entropy}}};

bool read(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 && std::isfinite(value);
}

// [weight*]kind[:width]
bool read(std::string_view text, LossTerm& term) {
  if (const std::size_t star = text.find('*'); star != text.npos) {
    if (!read(text.substr(0, star), term.weight)) return false;
    text.remove_prefix(star + 1);
  }
  if (const std::size_t colon = text.find(':'); colon != text.npos) {
    if (text.substr(0, colon) != "huber" || !read(text.substr(colon + 1), term.width)) return false;
    text = text.substr(0, colon);
  }
  for (const auto& [word, kind] : kKinds) {
    term.kind = kind;
    if (text == word) return true;
  }
  return false;
}

// each value's share, where `known`; zero elsewhere
Tensor each(const LossTerm& term, const Tensor& y, const Tensor& target, const Tensor& known) {
  if (term.kind == LossKind::cross_entropy) {
    const Tensor whole = known.all(-1, /*keepdim=*/true);
    return at::where(whole, -target * at::log_softmax(y, -1), 0.0);
  }
  const Tensor off = at::where(known, y - target, at::zeros({}, y.options()));
  switch (term.kind) {
    case LossKind::squared: return off.square();
    case LossKind::absolute: return off.abs();
    case LossKind::huber:
      return at::where(off.abs() <= term.width, off.square() / 2, term.width * (off.abs() - term.width / 2));
    case LossKind::cross_entropy: break;
  }
  return off;
}

}  // namespace

Result<std::vector<LossTerm>> parse_loss(std::string_view text) {
  std::vector<LossTerm> terms;
  for (std::string_view rest = text;;) {
    const std::size_t plus = rest.find('+');
    LossTerm term;
    if (!read(rest.substr(0, plus), term)) {
      return Error{
          "[loss] expected squared, absolute, huber[:width], cross_entropy, or a sum such as "
          "squared+0.1*absolute, found " +
          std::string(text)};
    }
    terms.push_back(term);
    if (plus == rest.npos) return terms;
    rest.remove_prefix(plus + 1);
  }
}

std::string to_string(const std::vector<LossTerm>& terms) {
  std::ostringstream text;
  for (const LossTerm& term : terms) {
    if (text.tellp() > 0) text << '+';
    if (term.weight != 1) text << term.weight << '*';
    text << std::ranges::find(kKinds, term.kind, &std::pair<std::string_view, LossKind>::second)->first;
    if (term.kind == LossKind::huber) text << ':' << term.width;
  }
  return text.str();
}

LossSum loss(const std::vector<LossTerm>& terms, const Tensor& y, const Tensor& target) {
  const Tensor known = at::isfinite(target);
  const Tensor wanted = at::where(known, target, at::zeros({}, target.options())).to(y.scalar_type());
  Tensor sum = at::zeros({}, y.options());
  for (const LossTerm& term : terms) sum = sum + term.weight * each(term, y, wanted, known).sum();
  return {sum, known.sum().to(at::kDouble)};
}

NoiseSums noise_sums(const Tensor& y, const Tensor& target) {
  const Tensor known = at::isfinite(target);
  const Tensor off = at::where(known, y.to(at::kDouble) - target.to(at::kDouble), 0.0);
  return {off.square().flatten(0, -2).sum(0), known.flatten(0, -2).sum(0).to(at::kDouble)};
}

std::vector<double> noise(const NoiseSums& sums) {
  const Tensor variance = sums.squares / sums.counts.clamp_min(1);
  const Tensor sigma = at::where(sums.counts > 0, variance.sqrt().clamp(1e-9, 1e9), at::ones_like(variance));
  return {sigma.data_ptr<double>(), sigma.data_ptr<double>() + sigma.numel()};
}

}  // namespace elastane::train
