# What the benchmarks conclude with. Put before an awk program: awk "$(<scripts/statistics.awk)"'…'. Arrays are 1..n.

# sorted(a, n): sorts in place; n is a few dozen.
function sorted(a, n,    i, j, v) {
  for (i = 2; i <= n; i++) {
    v = a[i]
    for (j = i - 1; j >= 1 && a[j] > v; j--) a[j + 1] = a[j]
    a[j + 1] = v
  }
}

# median(a, n): of a sorted array.
function median(a, n) { return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2 }

function mean(a, n,    i, sum) {
  for (i = 1; i <= n; i++) sum += a[i]
  return sum / n
}

# deviation(a, n): standard deviation of a sample.
function deviation(a, n,    i, m, sum) {
  m = mean(a, n)
  for (i = 1; i <= n; i++) sum += (a[i] - m) ^ 2
  return sqrt(sum / (n - 1))
}

# within(t, nu): probability that Student's t with nu degrees of freedom lies between -t and t. Exact for whole nu:
# Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
function within(t, nu,    theta, c, term, sum, k) {
  theta = atan2(t, sqrt(nu))
  c = cos(theta)
  if (nu == 1) return theta / atan2(0, -1) * 2
  term = nu % 2 ? c : 1
  for (k = nu % 2 ? 3 : 2; k <= nu; k += 2) {
    sum += term
    term *= c * c * (k - 1) / k
  }
  sum *= sin(theta)
  return nu % 2 ? (theta + sum) * 2 / atan2(0, -1) : sum
}

# t_quantile(p, nu): the value that t stays below with probability p, for p of at least 0.5; by bisection.
function t_quantile(p, nu,    low, high, middle, i) {
  high = 1000
  for (i = 0; i < 60; i++) {
    middle = (low + high) / 2
    if ((1 + within(middle, nu)) / 2 < p) low = middle; else high = middle
  }
  return middle
}

# uniform(): the next of a sequence that SEED begins, in (0, 1). Park and Miller's minimal generator, because awk's own
# rand() differs from one awk to the next.
function uniform() {
  SEED = (SEED * 16807) % 2147483647
  return SEED / 2147483647
}
