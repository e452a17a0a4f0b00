# The page in a browser, headless: it fits a screen and a telephone, says nothing on the console, and every figure has a title, a
# unit and a text alternative. ebsctl writes it.
EBSCTL=$(program ebsctl)
sampling </dev/null
own_disk

# Two runs that were driven by pgbench and recorded, with waits and transactions (driven.json, kept as it was exported); one of
# four hours, of which not every second has a pixel; and one too short to say anything.
install -m 644 "$ROOT/tests/live/driven.json" "$SCRATCH/driven.json"
printf "\\\\set document \`cat '%s'\`\nSELECT ebs_run_import(:'document');\n" "$SCRATCH/driven.json" |
  cluster_psql -d postgres -qXAt -v ON_ERROR_STOP=1 >/dev/null
cluster_sql "SELECT ebs_run_rename('after', 'after <b onclick=\"x()\">')"
cluster_sql "SELECT ebs_import_samples('hours', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1500 + (1200 * sin(i / 900.0))::int + CASE WHEN i % 1777 = 0 THEN 9000 ELSE i * 37 % 200 END, 'writes', 300,
    'read_bytes', 12000000, 'write_bytes', 4915200, 'read_ms', CASE WHEN i % 500 = 0 THEN 60000 ELSE 900 END, 'write_ms', 250) ORDER BY i))
  FROM generate_series(1, 14400) i; SELECT ebs_run_result('hours', tps => 1000)" >/dev/null
cluster_sql "SELECT ebs_import_samples('short', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 10, 'writes', 3, 'read_bytes', 81920, 'write_bytes', 24576) ORDER BY i)) FROM generate_series(1, 5) i" >/dev/null
# What is asked of everything sampled: two minutes that look as if they had been sampled here.
cluster_sql "SELECT ebs_import_samples('sampled', 'nvme0n1', jsonb_agg(jsonb_build_object('ts', now() - i * interval '1 s',
    'reads', 400 + i, 'writes', 100, 'read_bytes', 3276800, 'write_bytes', 819200,
    'read_ms', 300, 'write_ms', 80) ORDER BY i DESC))
  FROM generate_series(10, 130) i" >/dev/null
cluster_sql "UPDATE ebs.sample_block SET run_id = NULL WHERE run_id = (SELECT run_id FROM ebs.run WHERE label = 'sampled')"
cluster_sql "SELECT ebs_run_drop('sampled')"

written() { PGHOST=$CLUSTER PGUSER=postgres PGDATABASE=postgres "$EBSCTL" report "$@"; }
check "ebsctl writes a page" written 'after <b onclick="x()">' --html "$SCRATCH/driven.html" --baseline before
check "with the limits of an instance" written hours --html "$SCRATCH/hours.html" --instance m5.large
check "of a run that is too short" written short --html "$SCRATCH/short.html"
check "and of everything sampled" written --html "$SCRATCH/all.html"
check "without --html it prints the report" grep -q '^EBS advice for run hours' <(written hours --show all)
check "sized as is asked" is "SELECT string_agg(line, E'\n') FROM ebs_advise('hours', percentile => 100, headroom => 0, show => 'all') line" \
  "$(written hours --percentile 100 --headroom 0 --show all)"
check "which is not what it is otherwise" test "$(written hours --percentile 100 --headroom 0 --show all)" != "$(written hours --show all)"
check "a refusal is the server's, not a script's" test \
  "$(written nobody 2>&1 | grep -c '^error: run "nobody" does not exist')" = 1
cluster_sql 'CREATE ROLE outsider LOGIN'
# told PATTERN OPTION…: a refusal has such a line.
told() { grep -E "$1" <(written hours "${@:2}" 2>&1); }
check "a database without the extension is told so" told '^error: the extension ebs_advisor is not in this database' -d template1
check "and who may not ask" told '^hint:  Members of pg_monitor may call ebs_advise' -d 'dbname=postgres user=outsider'
cp "$SCRATCH/hours.html" "$SCRATCH/kept.html"
refused() { ! written "$@"; }
check "a run that is not there is refused" refused nobody --html "$SCRATCH/kept.html"
check "and leaves the file as it was" cmp "$SCRATCH/hours.html" "$SCRATCH/kept.html"

browser=
for name in chromium chromium-browser google-chrome chrome; do
  [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then skip "there is no Chromium (apt-get install chromium)"; return 0; fi
if ! "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$SCRATCH/profile" \
  --dump-dom 'data:text/html,<p>shown</p>' 2>"$SCRATCH/console" | grep '<p>shown</p>' >/dev/null; then
  skip "$browser shows no page here: $(tail -n 1 "$SCRATCH/console")"
  return 0
fi
# Measures a page in a frame of some width, and prints a line for each thing that is wrong.
cat >"$SCRATCH/measure.html" <<'HTML'
<!DOCTYPE html><meta charset="utf-8"><body><iframe id="frame" style="border:0;height:900px"></iframe><pre id="said">not measured</pre><script>
const [page, width] = location.hash.slice(1).split(',');
const frame = document.getElementById('frame');
frame.style.width = width + 'px';
frame.onload = () => {
  const found = [], doc = frame.contentDocument, root = doc.documentElement;
  if (root.clientWidth != width) found.push(`the frame is ${root.clientWidth} px wide`);
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} px wide`);
  for (const figure of doc.querySelectorAll('figure')) {
    const shown = [...figure.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width > 0);
    if (shown.length != 1) found.push(`${figure.id}: ${shown.length} plots`);
    if (!figure.querySelector('h3')?.textContent.trim()) found.push(`${figure.id}: no title`);
    if (!figure.querySelector('.unit')?.textContent.trim()) found.push(`${figure.id}: no unit`);
    for (const svg of shown) {
      const text = svg.getAttribute('aria-labelledby').split(' ').map(id => doc.getElementById(id)?.textContent ?? '').join(' ');
      if (svg.getAttribute('role') != 'img' || text.length < 60) found.push(`${figure.id}: no text alternative`);
      if (!svg.querySelector('.line,.rule,.area')) found.push(`${figure.id}: nothing is drawn`);
      const box = svg.getBoundingClientRect();
      for (const words of svg.querySelectorAll('text')) {
        if (!words.textContent.trim()) continue;
        const r = words.getBoundingClientRect();
        if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1)
          found.push(`${figure.id}: "${words.textContent.trim()}" stands outside`);
        if (width < 640 && r.height < 9) found.push(`${figure.id}: "${words.textContent.trim()}" is ${r.height} px high`);
      }
    }
  }
  found.push(doc.querySelectorAll('figure').length + ' figures measured');
  document.getElementById('said').textContent = found.map(line => `${'fo' + 'und'}: ${line}`).join('\n');
};
frame.src = page;
</script>
HTML
# looked FILE WIDTH FIGURES: nothing is wrong with it at that width, and it has so many figures at least.
looked() {
  "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$SCRATCH/profile" --allow-file-access-from-files \
    --hide-scrollbars --enable-logging=stderr --v=0 --virtual-time-budget=10000 --window-size=1400,1000 \
    --dump-dom "file://$SCRATCH/measure.html#$1,$2" >"$SCRATCH/dom" 2>"$SCRATCH/console" || { cat "$SCRATCH/console"; return 1; }
  grep -o 'found: .*' "$SCRATCH/dom" | sed 's/<.*//; s/^found: //' >"$SCRATCH/found"
  if grep ':CONSOLE' "$SCRATCH/console"; then return 1; fi
  local figures
  figures=$(sed -n 's/ figures measured$//p' "$SCRATCH/found")
  [ "${figures:--1}" -ge "$3" ] && [ "$(wc -l <"$SCRATCH/found")" = 1 ] || { cat "$SCRATCH/found"; return 1; }
}
for width in 1280 390; do
  check "at $width px, a run that was driven, beside another" looked driven.html "$width" 8
  check "at $width px, four hours" looked hours.html "$width" 4
  check "at $width px, too little evidence" looked short.html "$width" 0
  check "at $width px, a look-back" looked all.html "$width" 1
done
for page in driven hours short all; do
  check "$page.html is under 2 MB" test "$(stat --format %s "$SCRATCH/$page.html")" -lt $((2 * 1024 * 1024))
done

# That this test could find something.
sed 's/<main>/<main><div style="width:3000px">wide<\/div><figure id="bare"><svg role="img" aria-labelledby="none"><\/svg><\/figure>/' "$SCRATCH/short.html" >"$SCRATCH/broken.html"
if looked broken.html 390 0 >"$SCRATCH/broken" 2>&1; then :; fi
check "what is too wide is found" grep -q 'the page is 30[0-9][0-9] px wide' "$SCRATCH/broken"
check "and a figure without title, unit and text" test "$(grep -cE '^bare: no (title|unit|text alternative)$' "$SCRATCH/broken")" = 3
