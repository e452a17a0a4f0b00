// A row unfolded: its demand, reason, findings, and what is not known.
const overTime = row => {
  const values = row.demand.iops_over_time, [width, height] = [480, 120];
  const most = Math.max(...values.filter(isKnown), 1);
  const limits = [['present', row.present?.iops, 'rose'], ['recommended', row.action === 'modify' ? row.recommended?.iops : null, 'orange']]
    .filter(([, iops]) => isKnown(iops));
  const shown = limits.filter(([, iops]) => iops <= 4 * most);
  const top = 1.08 * Math.max(most, ...shown.map(([, iops]) => iops));
  const x = place => (width * place / values.length).toFixed(1), y = iops => (height * (1 - iops / top)).toFixed(1);
  let path = '';
  values.forEach((iops, place) => {
    if (!isKnown(iops)) return;
    const begin = place > 0 && isKnown(values[place - 1]) ? `V${y(iops)}` : `M${x(place)} ${y(iops)}`;
    path += `${begin}H${x(place + 1)}`;
  });
  const text = `Mean IOPS of ${values.length} equal parts of the time, at most ${figure(most)}; `
    + limits.map(([name, iops]) => `${name} limit ${figure(iops)}${iops > 4 * most ? ' (above the plot)' : ''}`).join(', ');
  return make('figure', {class: 'small'},
    draw('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': text},
      draw('rect', {class: 'frame', width, height}),
      ...shown.map(([, iops, hue]) => draw('path', {class: `rule dashed ${hue}`, d: `M0 ${y(iops)}H${width}`})),
      draw('path', {class: 'line blue', d: path})),
    make('p', {class: 'caption'}, text));
};
const percentiles = row => {
  const {demand, present, recommended} = row;
  const interval = (low, high) => isKnown(low) && isKnown(high) ? `${figure(low)} to ${figure(high)}` : UNKNOWN;
  const line = (name, unit) => make('tr', {}, make('th', {scope: 'row'}, name), ...[
    figure(demand[`${unit}_p50`]), figure(demand[`${unit}_p99`]), interval(demand[`${unit}_p99_low`], demand[`${unit}_p99_high`]),
    figure(demand[`${unit}_max`]), figure(present?.[unit === 'iops' ? 'iops' : 'throughput_mibps']),
    figure(recommended?.[unit === 'iops' ? 'iops' : 'throughput_mibps'])].map(text => make('td', {class: 'n'}, text)));
  const head = ['', 'p50', 'p99', '95 % CI of p99', 'max', 'limit', 'then'];
  return make('table', {},
    make('thead', {}, make('tr', {}, ...head.map(text => make('th', {class: 'n', scope: 'col'}, text)))),
    make('tbody', {}, line('IOPS', 'iops'), line('MiB/s', 'mibps')));
};
const region = row => [row.region, row.zone ? `zone ${row.zone}` : null].filter(part => part).join(', ') || null;
const facts = row => {
  const {demand, evidence, space} = row;
  const list = [
    ['Volume', row.volume], ['Name', row.name], ['Claim', row.claim], ['Account', row.account], ['Region', region(row)], ['Instance', row.instance],
    ['Mount point', row.mountpoint], ['Binding limit', row.binding_limit],
    ['Reads', demand && figure(demand.read_pct, ' %')], ['Request', demand && figure(demand.request_kib, ' KiB')],
    ['Latency', demand && `read ${figure(demand.read_ms)}, write ${figure(demand.write_ms)} ms`],
    ['Queue depth', demand && figure(demand.queue_depth)],
    ['Used', space && `${figure(space.used_gib)} of ${figure(space.size_gib)} GiB`],
    ['Full', space && isKnown(space.full_in_days) ? `in ${figure(space.full_in_days)} days` : null],
    ['Evidence', [evidence.source, evidence.grade, isKnown(evidence.interval_s) ? `every ${figure(evidence.interval_s)} s` : null,
      `${figure(evidence.coverage_pct)} % covered`].filter(part => part).join(', ')],
    ['Busy', isKnown(evidence.busy_pct) ? `${figure(evidence.busy_pct)} % of the time, with ${figure(evidence.busy_iops)} IOPS` : null],
    ['Time', evidence.from && `${evidence.from} to ${evidence.to}`],
    ['Tags', Object.entries(row.tags).map(tag => tag.join('=')).join(', ') || null],
  ];
  return make('dl', {class: 'facts'}, ...list.filter(([, text]) => isKnown(text))
    .flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)]));
};
const sentences = (title, coded) => coded.length === 0 ? null
  : make('div', {}, make('h4', {}, title), make('ul', {class: 'plain'},
    ...coded.map(item => make('li', {}, make('code', {}, item.code), ' ', item.text))));
const detail = row => make('div', {class: 'detail'},
  make('div', {}, make('h4', {}, 'Reason'), make('p', {}, make('code', {}, row.reason.code), ' ', row.reason.text),
    sentences('Findings', row.findings), sentences('Not known', row.unknown)),
  make('div', {}, ...(row.demand ? [row.demand.iops_over_time.length ? overTime(row) : null, percentiles(row)]
    : [make('p', {class: 'muted'}, 'No demand is known.')])),
  facts(row));
