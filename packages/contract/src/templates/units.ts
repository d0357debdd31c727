/** The units that a template may have, so that charts and fleets find the same word for the same thing. */
export const TEMPLATE_UNITS: readonly string[] = [
  ...['W', 'kW', 'MW', 'VA', 'kVA', 'var', 'kvar'],
  ...['Wh', 'kWh', 'MWh', 'varh', 'kvarh', 'V', 'A', 'mA', 'Hz', '°'],
  ...['°C', 'K', '%', 'ppm', 'bar', 'Pa', 'kPa', 'lx', 'm³/h', 'l/h', 'l/min', 'm³', 'l'],
  ...['rpm', 's', 'min', 'h', 'd', 'on/off'],
]

const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  c: '°C',
  degc: '°C',
  celsius: '°C',
  '℃': '°C',
  percent: '%',
  watt: 'W',
  watts: 'W',
  volt: 'V',
  ampere: 'A',
  amps: 'A',
  hertz: 'Hz',
  'm3/h': 'm³/h',
  m3: 'm³',
  seconds: 's',
  sec: 's',
  '1/min': 'rpm',
  onoff: 'on/off',
}

/** Says what is wrong with a unit; `undefined` for one that templates use. */
export function unitProblem(unit: string): string | undefined {
  if (TEMPLATE_UNITS.includes(unit)) return undefined
  const lower = unit.trim().toLowerCase()
  const meant = TEMPLATE_UNITS.find((one) => one.toLowerCase() === lower) ?? OTHER_SPELLINGS[lower]
  return meant === undefined
    ? `is not a unit that templates use; use one of: ${TEMPLATE_UNITS.join(', ')}, or leave it out`
    : `is not a unit that templates use; write ${meant}`
}
