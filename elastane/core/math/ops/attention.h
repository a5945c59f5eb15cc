// Operations of attention: angles of a step, rotary positions, and softmax(q·k/√size)·v over a window.
#pragma once

#include <cmath>
#include <numbers>
#include <type_traits>

#include "elastane/core/math/tape.h"

namespace elastane {

// cosines and sines of the angles (time + elapsed)·frequency
struct Turn {
  const double* frequency;
  int half;  // angles
  Source elapsed;
  Register cosine, sine;

  void sources(auto visit) { visit(elapsed); }
  void outputs(auto visit) { visit(cosine), visit(sine); }
  std::int64_t macs() const { return half; }

  template <class T>
  void value(const Pass<T>& p) const {
    for (int i = 0; i < half; ++i) {
      // angles in double: after 10⁷ steps a float has lost its position in the turn
      const T angle = static_cast<T>(std::remainder((p.time + *p[elapsed]) * frequency[i], 2 * std::numbers::pi));
      p[cosine][i] = std::cos(angle);
      p[sine][i] = std::sin(angle);
    }
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      for (int i = 0; i < half; ++i) {
        const T moved = d[r][elapsed.offset] * static_cast<T>(frequency[i]);
        d[r][cosine.offset + i] = -p[sine][i] * moved;
        d[r][sine.offset + i] = p[cosine][i] * moved;
      }
    }
  }
};

// turns the pairs (i, i + size/2) of every head
struct Rotate {
  int heads, size;
  Source cosine, sine, x;
  Register y;

  void sources(auto visit) { visit(cosine), visit(sine), visit(x); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 2 * std::int64_t{y.n}; }

  template <class T>
  void value(const Pass<T>& p) const {
    turn<T>(p[cosine], p[sine], 1, p[x], false, p[y]);
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      T* to = d[r] + y.offset;
      if (x.active) turn<T>(p[cosine], p[sine], 1, d[r] + x.offset, false, to);
      if (cosine.active) turn<T>(d[r] + cosine.offset, d[r] + sine.offset, 1, p[x], x.active, to);
    }
  }

  // back by the same angles; the angles themselves have no adjoint
  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) turn<T>(p[cosine], p[sine], -1, a[r] + y.offset, x.add, a[r] + x.offset);
  }

 private:
  template <class T>
  void turn(const T* c, const T* s, T sign, const T* from, bool add, T* to) const {
    const int half = size / 2;
    if (!add) {
      for (int i = 0; i < y.lanes(); ++i) to[i] = 0;
    }
    for (int head = 0; head < heads; ++head, from += size, to += size) {
      for (int i = 0; i < half; ++i) {
        to[i] += from[i] * c[i] - sign * from[i + half] * s[i];
        to[i + half] += from[i + half] * c[i] + sign * from[i] * s[i];
      }
    }
  }
};

// y = Σ_t p_t v_t, p = softmax(q·k_t/√size); this step's key and value are on the tape, older ones in the window. A head
// sees what its mode lets it see, which is constant within a step.
struct Attend {
  AttentionShape shape;
  int window;  // which of the pass
  Source q, k, v;
  Register y, weights;  // p [head][slot]

  void sources(auto visit) { visit(q), visit(k), visit(v); }
  void outputs(auto visit) { visit(y); }
  std::int64_t macs() const { return 2 * std::int64_t{shape.window} * shape.heads * shape.size; }

  template <class T>
  void value(const Pass<T>& p) const {
    const Window<T>& w = p.windows[window];
    clear(p[y], y.lanes());
    for (int head = 0; head < shape.heads; ++head) {
      T* score = p[weights] + head * shape.slots();
      const T* query = p[q] + head * shape.size;
      scores(w, head, query, score);
      each_entry(p, head, nullptr,
                 [&](const Entry<T>& e) { score[e.slot] = root<T>() * inner(query, e.key + kv(head)); });
      softmax(p.k, w.spans(key_head(head)), score);
      mix(p, head, score, p[y] + head * shape.size);
    }
  }

  template <class T>
  void jvp(const Pass<T>& p, BasicRows<T> d) const {
    for (int r = 0; r < d.count; ++r) {
      clear(d[r] + y.offset, y.lanes());
      for (int head = 0; head < shape.heads; ++head) {
        T* change = p.scratch;
        score_change(p, head, d[r], change);
        T* to = d[r] + y.offset + head * shape.size;
        soft_change(p, head, change);  // dp = p ⊙ (ds − p·ds)
        mix(p, head, change, to);
        each_entry(p, head, d[r], [&](const Entry<T>& e) {
          if (e.dvalue != nullptr) add(p[weights][head * shape.slots() + e.slot], e.dvalue + kv(head), to);
        });
      }
    }
  }

  template <class T>
  void vjp(const Pass<T>& p, BasicRows<T> a) const {
    for (int r = 0; r < a.count; ++r) {
      T *aq = a[r] + q.offset, *ak = a[r] + k.offset, *av = a[r] + v.offset;
      if (!q.add) clear(aq, q.lanes());
      if (!k.add) clear(ak, k.lanes());
      if (!v.add) clear(av, v.lanes());
      for (int head = 0; head < shape.heads; ++head)
        adjoint_of_head(p, head, a[r] + y.offset + head * shape.size, aq, ak, av);
    }
  }

  // s″ = 2 dq·dk at this step's slot, p″ = p ⊙ ((ds − m)² − var + s″ − p·s″), y″ = Σ p″v + 2 dp dv
  template <class T>
  void bend(const Pass<T>& p, const T* d, T* dd) const {
    const Window<T>& w = p.windows[window];
    for (int head = 0; head < shape.heads; ++head) {
      const T *weight = p[weights] + head * shape.slots(), *dq = d + q.offset + head * shape.size;
      T *change = p.scratch, *to = dd + y.offset + head * shape.size;
      score_change(p, head, d, change);
      T mean = 0, variance = 0;
      each_slot(w, head, [&](int t) { mean += weight[t] * change[t]; });
      each_slot(w, head, [&](int t) { variance += weight[t] * (change[t] - mean) * (change[t] - mean); });
      const T own = 2 * root<T>() * inner(dq, d + k.offset + kv(head)), own_mean = weight[w.own] * own;
      add(2 * weight[w.own] * (change[w.own] - mean), d + v.offset + kv(head), to);
      each_slot(w, head, [&](int t) {
        const T centred = change[t] - mean;
        change[t] = weight[t] * (centred * centred - variance + (t == w.own ? own : 0) - own_mean);
      });
      mix(p, head, change, to);
    }
  }

 private:
  // a key and value that are not taken from the ring; tangents may be null
  template <class T>
  struct Entry {
    int slot;
    const T *key, *value, *dkey, *dvalue;
  };
  // those that the head sees
  template <class T, class F>
  void each_entry(const Pass<T>& p, int head, std::type_identity_t<const T*> d, F f) const {
    const Window<T>& w = p.windows[window];
    const bool tangents = d != nullptr;
    for (int i = 0; i < w.earlier_count; ++i) {
      const WindowEntry<T>& e = w.earlier[i];
      if (!sees(w, head, e.slot)) continue;
      f(Entry<T>{e.slot, e.key, e.value, tangents ? e.key_tangent : nullptr, tangents ? e.value_tangent : nullptr});
    }
    f(Entry<T>{w.own, p[k], p[v], tangents && k.active ? d + k.offset : nullptr,
               tangents && v.active ? d + v.offset : nullptr});
  }
  template <class T>
  bool sees(const Window<T>& w, int head, int slot) const {
    for (const WindowSpan& span : w.spans(key_head(head))) {
      const int in_panel = slot - span.panel * shape.block;
      if (in_panel >= span.first && in_panel < span.last) return true;
    }
    return false;
  }
  template <class T, class F>
  void each_slot(const Window<T>& w, int head, F f) const {
    for (const WindowSpan& span : w.spans(key_head(head))) {
      for (int j = span.first; j < span.last; ++j) f(span.panel * shape.block + j);
    }
  }

  int key_head(int head) const { return head / shape.group(); }
  int kv(int head) const { return key_head(head) * shape.size; }  // its first key channel
  template <class T>
  const float* keys(const Window<T>& w, const WindowSpan& span, int head) const {
    return w.panels + shape.keys_at(span.panel, key_head(head));
  }
  template <class T>
  const float* values(const Window<T>& w, const WindowSpan& span, int head, int j) const {
    return w.panels + shape.values_at(span.panel, key_head(head)) + std::ptrdiff_t{j} * shape.value_words();
  }
  template <class T>
  T root() const {
    return 1 / std::sqrt(static_cast<T>(shape.size));
  }
  template <class T>
  static void clear(T* to, int n) {
    for (int i = 0; i < n; ++i) to[i] = 0;
  }
  // of one head; in eight partial sums, so that compilers can vectorise it
  template <class T, class V>
  T inner(const T* a, const V* b) const {
    T sums[8] = {}, total = 0;
    int i = 0;
    for (; i + 8 <= shape.size; i += 8) {
      for (int j = 0; j < 8; ++j) sums[j] += a[i + j] * b[i + j];
    }
    for (; i < shape.size; ++i) total += a[i] * b[i];
    for (const T sum : sums) total += sum;
    return total;
  }
  template <class T, class V>
  void add(T factor, const V* from, T* to) const {
    for (int i = 0; i < shape.size; ++i) to[i] += factor * from[i];
  }

  // q·k/√size for every slot of the ring that the head sees, zero for the others
  template <class T>
  void scores(const Window<T>& w, int head, const T* query, T* score) const {
    clear(score, shape.slots());
    for (const WindowSpan& span : w.spans(key_head(head))) {
      const float* key = keys(w, span, head);
      T* to = score + span.panel * shape.block;
      for (int i = 0; i < shape.size; ++i, key += shape.block) {
        const T factor = root<T>() * query[i];
        for (int j = span.first; j < span.last; ++j) to[j] += factor * key[j];
      }
    }
  }

  // in place; zero where nothing is seen
  template <class T>
  void softmax(const Kernels& kernels, const WindowSpans& spans, T* score) const {
    T peak = score[spans.first->panel * shape.block + spans.first->first], total = 0;
    for (const WindowSpan& span : spans) {
      const T* s = score + span.panel * shape.block;
      for (int j = span.first; j < span.last; ++j) peak = s[j] > peak ? s[j] : peak;
    }
    for (const WindowSpan& span : spans) {
      T* s = score + span.panel * shape.block;
      for (int j = span.first; j < span.last; ++j) s[j] -= peak;
      if constexpr (std::is_same_v<T, float>) {
        kernels.activation_jet(Curve::exponential, s, shape.block, s, nullptr, nullptr);
      } else {
        for (int j = span.first; j < span.last; ++j) s[j] = std::exp(s[j]);
      }
      for (int j = 0; j < shape.block; ++j) {
        if (j < span.first || j >= span.last) s[j] = 0;
        total += s[j];
      }
    }
    for (const WindowSpan& span : spans) {
      T* s = score + span.panel * shape.block;
      for (int j = 0; j < shape.block; ++j) s[j] /= total;
    }
  }

  // to ← to + Σ_t weight_t v_t; what is not in the ring has no weight there
  template <class T>
  void mix(const Pass<T>& p, int head, const T* weight, T* to) const {
    const Window<T>& w = p.windows[window];
    T* in_ring = p.scratch + shape.slots();
    each_slot(w, head, [&](int t) { in_ring[t] = weight[t]; });
    each_entry(p, head, nullptr, [&](const Entry<T>& e) {
      in_ring[e.slot] = 0;
      add(weight[e.slot], e.value + kv(head), to);
    });
    for (const WindowSpan& span : w.spans(key_head(head))) {
      const T* factor = in_ring + span.panel * shape.block;
      for (int j = span.first; j < span.last; ++j) add(factor[j], values(w, span, head, j), to);
    }
  }

  // ds = (dq·k + q·dk)/√size
  template <class T>
  void score_change(const Pass<T>& p, int head, const T* d, T* change) const {
    const T *query = p[q] + head * shape.size, *dq = d + q.offset + head * shape.size;
    if (q.active) {
      scores(p.windows[window], head, dq, change);
    } else {
      clear(change, shape.slots());
    }
    each_entry(p, head, d, [&](const Entry<T>& e) {
      T sum = q.active ? inner(dq, e.key + kv(head)) : T{0};
      if (e.dkey != nullptr) sum += inner(query, e.dkey + kv(head));
      change[e.slot] = root<T>() * sum;
    });
  }

  // x ← p ⊙ (x − p·x)
  template <class T>
  void soft_change(const Pass<T>& p, int head, T* x) const {
    const Window<T>& w = p.windows[window];
    const T* weight = p[weights] + head * shape.slots();
    T mean = 0;
    each_slot(w, head, [&](int t) { mean += weight[t] * x[t]; });
    each_slot(w, head, [&](int t) { x[t] = weight[t] * (x[t] - mean); });
  }

  template <class T>
  void adjoint_of_head(const Pass<T>& p, int head, const T* ay, T* aq, T* ak, T* av) const {
    const Window<T>& w = p.windows[window];
    T* change = p.scratch;
    for (const WindowSpan& span : w.spans(key_head(head))) {
      T* to = change + span.panel * shape.block;
      for (int j = span.first; j < span.last; ++j) to[j] = inner(ay, values(w, span, head, j));  // p̄ = ȳ·v
    }
    each_entry(p, head, nullptr, [&](const Entry<T>& e) { change[e.slot] = inner(ay, e.value + kv(head)); });
    soft_change(p, head, change);  // s̄ = p ⊙ (p̄ − p·p̄)
    T* to = aq + head * shape.size;
    each_entry(p, head, nullptr, [&](const Entry<T>& e) { add(root<T>() * change[e.slot], e.key + kv(head), to); });
    add(root<T>() * change[w.own], p[q] + head * shape.size, ak + kv(head));  // k̄ = s̄ q/√size
    add(p[weights][head * shape.slots() + w.own], ay, av + kv(head));         // v̄ = p ȳ
    for (int i = 0; i < w.earlier_count; ++i) change[w.earlier[i].slot] = 0;
    change[w.own] = 0;
    for (const WindowSpan& span : w.spans(key_head(head))) {
      const float* key = keys(w, span, head) + span.first;
      const T* from = change + span.panel * shape.block + span.first;
      for (int i = 0; i < shape.size; ++i, key += shape.block) {
        to[i] += root<T>() * dot<T>(from, key, span.last - span.first);  // q̄ = Σ s̄ k/√size
      }
    }
  }
};

}  // namespace elastane
