// Rows, and those that the filters leave, in their order.
const rows = JSON.parse(byId('rows').textContent);
const texts = rows.map(row => [
  row.volume, row.name, row.claim, row.owner, row.account, row.region, row.zone, row.instance, row.instance_type, row.mountpoint,
  row.platform, row.present?.volume_type, row.reason.code, ...row.findings.map(finding => finding.code),
  ...Object.entries(row.tags).map(tag => tag.join('=')),
].filter(isKnown).join('\n').toLowerCase());
const collator = new Intl.Collator('en', {numeric: true});
const known = value => value < 0 ? null : value;
const COLUMNS = {
  volume: {title: 'Volume', value: label},
  instance: {title: 'Instance', value: row => row.instance_type ?? row.instance},
  owner: {title: 'Owner', value: row => row.owner},
  now: {title: 'Now', value: row => row.present ? volumes(row.present) : null},
  action: {title: 'Recommended', value: recommended},
  price: {title: '$ a month', value: row => row.present?.usd_month, isNumber: true},
  saved: {title: 'Saved', value: row => row.usd_month_saved, isNumber: true},
  limit: {title: 'At limit', value: row => row.limit_pct, isNumber: true},
  risk: {title: 'Risk', value: row => known(risk(row)), isOrdinal: true},
  confidence: {title: 'Confidence', value: row => known(['low', 'medium', 'high'].indexOf(row.confidence)), isOrdinal: true},
};
const isRanked = column => Boolean(COLUMNS[column].isNumber || COLUMNS[column].isOrdinal);
// Order of two rows; what is not known comes last, in both directions.
const compare = (column, direction) => (one, other) => {
  const [a, b] = [one, other].map(place => COLUMNS[column].value(rows[place]));
  if (!isKnown(a) || !isKnown(b)) return isKnown(b) - isKnown(a) || one - other;
  const order = isRanked(column) ? a - b : collator.compare(a, b);
  return direction * order || one - other;
};
// Places of the rows that meet the filters, sorted.
const select = state => {
  const words = state.search.toLowerCase().split(/\s+/).filter(word => word);
  const meets = place => words.every(word => texts[place].includes(word))
    && (!state.action || rows[place].action === state.action)
    && (!state.finding || rows[place].findings.some(finding => finding.code === state.finding));
  return rows.map((_, place) => place).filter(meets).sort(compare(state.sort, state.direction));
};
