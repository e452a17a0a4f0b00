// Figures as text. Unknown is never zero.
const UNKNOWN = '–';
const isKnown = value => value !== null && value !== undefined;
const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const short = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 3});
const dollars = new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'});
const money = value => isKnown(value) ? dollars.format(value) : UNKNOWN;
const figure = (value, unit = '') => !isKnown(value) ? UNKNOWN : (Math.abs(value) >= 100 ? whole : short).format(value) + unit;
const cents = value => Math.round(value * 100);
const volumes = config => {
  if (!config) return UNKNOWN;
  const number = config.volumes > 1 ? `${config.volumes} × ` : '';
  const mibps = CHOSEN_THROUGHPUT.includes(config.volume_type) ? `, ${whole.format(config.throughput_mibps)} MiB/s` : '';
  return `${number}${config.volume_type} ${whole.format(config.size_gib)} GiB, ${whole.format(config.iops)} IOPS${mibps}`;
};
// The recommended volumes, or the action, with the name of a larger instance.
const recommended = row => row.action === 'modify' ? volumes(row.recommended)
  : row.action === 'larger_instance' && row.larger_instance ? `instance ${row.larger_instance}` : ACTIONS[row.action];
const label = row => row.name || row.claim || row.volume;
const risk = row => RISKS.indexOf(row.risk);
