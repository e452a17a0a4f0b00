// Saving against risk: a point a volume.
const PLOT = {width: 960, height: 300, left: 86, right: 16, top: 10, bottom: 34};
const HUES = {modify: 'orange', larger_instance: 'rose', delete: 'purple', keep: 'gray', no_answer: 'sky'};
const points = [];
// Linear near zero and logarithmic beyond a dollar.
const stretched = value => Math.asinh(value);
const scatter = selected => {
  points.length = 0;
  // A unit of the plot is a pixel, so that its texts have one size on every screen.
  PLOT.width = Math.max(320, byId('scatter').clientWidth);
  byId('scatter').setAttribute('viewBox', `0 0 ${PLOT.width} ${PLOT.height}`);
  const shown = selected.filter(place => isKnown(rows[place].usd_month_saved));
  const savings = shown.map(place => stretched(rows[place].usd_month_saved));
  // Not by spreading: thousands of arguments are too many for some browsers.
  const [low, high] = savings.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [stretched(-1), stretched(10)]);
  const inner = PLOT.width - PLOT.left - PLOT.right, band = (PLOT.height - PLOT.top - PLOT.bottom) / (RISKS.length + 1);
  const x = value => PLOT.left + inner * (value - low) / (high - low);
  const y = rank => PLOT.top + band * (RISKS.length - rank - 0.5);
  const paths = {};
  shown.forEach((place, at) => {
    const row = rows[place], spread = ((place * 0.618034) % 1 - 0.5) * 0.76;
    const point = {place, x: x(savings[at]), y: y(risk(row) + spread)};
    points.push(point);
    paths[row.action] = (paths[row.action] ?? '') + `M${point.x.toFixed(1)} ${point.y.toFixed(1)}h0`;
  });
  const ticks = [-10000, -1000, -100, -10, 0, 10, 100, 1000, 10000].filter(tick => stretched(tick) >= low && stretched(tick) <= high);
  const text = (attributes, content) => draw('text', attributes, document.createTextNode(content));
  byId('scatter').replaceChildren(
    ...RISKS.concat('unknown').map((name, place) => {
      const rank = place < RISKS.length ? place : -1;
      return draw('g', {}, draw('path', {class: 'grid', d: `M${PLOT.left} ${y(rank - 0.5)}H${PLOT.width - PLOT.right}`}),
        text({class: 'y', x: PLOT.left - 8, y: y(rank) + 4}, name));
    }),
    ...ticks.map(tick => draw('g', {}, draw('path', {class: 'grid', d: `M${x(stretched(tick))} ${PLOT.top}V${PLOT.height - PLOT.bottom}`}),
      text({class: 'x', x: x(stretched(tick)), y: PLOT.height - 14}, whole.format(tick)))),
    ...Object.entries(paths).map(([action, d]) => draw('path', {class: `points ${HUES[action]}`, d})));
  byId('scatter-key').replaceChildren(...Object.keys(ACTIONS).filter(action => paths[action])
    .map(action => make('li', {class: HUES[action]}, make('span', {class: 'swatch'}), ACTIONS[action])));
  const missing = selected.length - shown.length;
  byId('scatter-text').textContent = missing > 0 ? `${whole.format(missing)} volumes whose saving is not known are not in the plot.` : '';
};
// The place of the row whose point is nearest to a pointer; null where none is near.
const nearest = event => {
  const box = byId('scatter').getBoundingClientRect(), scale = PLOT.width / box.width;
  const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  let [best, distance] = [null, (14 * scale) ** 2];
  for (const point of points) {
    const from = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (from < distance) [best, distance] = [point.place, from];
  }
  return best;
};
