// Real-time code only.
#include "elastane/core/math/program.h"

#include <cstring>

namespace elastane {
namespace {

// calls f with the operation that the variant holds; unlike std::visit it cannot throw
template <class F, std::size_t... kIndex>
inline void visit_op(const Op& op, F f, std::index_sequence<kIndex...>) {
  ((op.index() == kIndex ? f(*std::get_if<kIndex>(&op)) : void()), ...);
}
template <class F>
inline void visit_op(const Op& op, F f) {
  visit_op(op, f, std::make_index_sequence<std::variant_size_v<Op>>());
}

}  // namespace

template <class T>
void run_fixed(const Program& program, const Pass<T>& pass) {
  for (const Op& op : program.fixed) visit_op(op, [&](const auto& o) { o.value(pass); });
}

template <class T>
void share(const Program& program, const T* from, T* to) {
  for (const Register r : program.shared) std::memcpy(to + r.offset, from + r.offset, sizeof(T) * r.lanes());
}

template <class T>
void run(const Program& program, const Pass<T>& pass, int count) {
  for (int i = 0; i < count; ++i) visit_op(program.moving[i], [&](const auto& o) { o.value(pass); });
}

template <class T>
void run_rows(const Program& program, const Pass<T>& pass, BasicRows<T> tapes, int first) {
  Pass<T> one = pass;
  for (std::size_t i = first; i < program.moving.size(); ++i) {
    visit_op(program.moving[i], [&](const auto& o) {
      if constexpr (requires { o.value_rows(pass, tapes); }) return o.value_rows(pass, tapes);
      for (int r = 0; r < tapes.count; ++r) {
        one.tape = tapes[r];
        o.value(one);
      }
    });
  }
}

template <class T>
void run_jvp_rows(const Program& program, const Pass<T>& pass, BasicRows<T> tapes, BasicRows<T> d, int first) {
  Pass<T> one = pass;
  for (std::size_t i = first; i < program.moving.size(); ++i) {
    visit_op(program.moving[i], [&](const auto& o) {
      if constexpr (requires { o.value_rows(pass, tapes); }) return o.jvp(pass, d);  // does not depend on the tape
      for (int r = 0; r < tapes.count; ++r) {
        one.tape = tapes[r];
        o.jvp(one, d.slice(r, 1));
      }
    });
  }
}

template <class T>
void run_jvp(const Program& program, const Pass<T>& pass, BasicRows<T> d, int count) {
  for (int i = 0; i < count; ++i) visit_op(program.moving[i], [&](const auto& o) { o.jvp(pass, d); });
}

namespace {

// from the `first`th of the operations that go backwards
template <class T>
void run_backward(const Program& program, const Pass<T>& pass, BasicRows<T> a, std::size_t first) {
  for (const Register r : program.cleared) {
    for (int c = 0; c < a.count; ++c) std::memset(a[c] + r.offset, 0, sizeof(T) * r.lanes());
  }
  for (std::size_t i = first; i < program.backward.size(); ++i) {
    visit_op(program.moving[program.backward[i]], [&](const auto& o) {
      if constexpr (requires { o.vjp(pass, a); }) o.vjp(pass, a);
    });
  }
}

}  // namespace

template <class T>
void run_vjp(const Program& program, const Pass<T>& pass, BasicRows<T> a) {
  run_backward(program, pass, a, 0);
}

template <class T>
void run_vjp_units(const Program& program, const Pass<T>& pass, Register output, int first, BasicRows<T> a) {
  const Linear* last =
      program.backward.empty() ? nullptr : std::get_if<Linear>(&program.moving[program.backward.front()]);
  if (last != nullptr && last->rows != nullptr) {
    last->pick(first, a);
    return run_backward(program, pass, a, 1);
  }
  for (int r = 0; r < a.count; ++r) {
    put(a[r] + output.offset, output.lanes(), false, [=](int i) { return i == first + r ? T{1} : T{0}; });
  }
  run_backward(program, pass, a, 0);
}

// y″ = Df[x″] + D²f[x′, x′]: the first part is a tangent like any other, so both rows share one pass over the weights
template <class T>
void run_second(const Program& program, const Pass<T>& pass, BasicRows<T> d) {
  for (const Op& op : program.moving) {
    visit_op(op, [&](const auto& o) {
      o.jvp(pass, d);
      if constexpr (requires { o.bend(pass, static_cast<const T*>(d[0]), d[1]); }) {
        o.bend(pass, static_cast<const T*>(d[0]), d[1]);
      }
    });
  }
}

template void run_fixed(const Program&, const Pass<float>&);
template void run_fixed(const Program&, const Pass<double>&);
template void share(const Program&, const float*, float*);
template void share(const Program&, const double*, double*);
template void run(const Program&, const Pass<float>&, int);
template void run(const Program&, const Pass<double>&, int);
template void run_rows(const Program&, const Pass<float>&, BasicRows<float>, int);
template void run_rows(const Program&, const Pass<double>&, BasicRows<double>, int);
template void run_jvp_rows(const Program&, const Pass<float>&, BasicRows<float>, BasicRows<float>, int);
template void run_jvp_rows(const Program&, const Pass<double>&, BasicRows<double>, BasicRows<double>, int);
template void run_jvp(const Program&, const Pass<float>&, BasicRows<float>, int);
template void run_jvp(const Program&, const Pass<double>&, BasicRows<double>, int);
template void run_vjp(const Program&, const Pass<float>&, BasicRows<float>);
template void run_vjp(const Program&, const Pass<double>&, BasicRows<double>);
template void run_vjp_units(const Program&, const Pass<float>&, Register, int, BasicRows<float>);
template void run_vjp_units(const Program&, const Pass<double>&, Register, int, BasicRows<double>);
template void run_second(const Program&, const Pass<float>&, BasicRows<float>);
template void run_second(const Program&, const Pass<double>&, BasicRows<double>);

}  // namespace elastane
