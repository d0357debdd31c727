import { KILOWATTS } from '../main-measurements.ts'
import { shown } from '../shown.ts'
import type { CommissioningFile, FileProblem } from './file.ts'
import type { Placed } from './names.ts'
import { datapointTaken, type Find, judged, judgedLoads, readable } from './optimisation.ts'
import {
  type CommissionedLimitInput,
  type CommissionedLimitLoad,
  type CommissionedPowerLimit,
  inputLimitKw,
  STORAGE_DEFAULTS,
} from './power-limit-part.ts'

/** How many kW one unit of a datapoint is; 1 where the file does not say its unit, `undefined` where it is no power. */
export const kwPerUnit = ({ unit }: { unit?: string | undefined }): number | undefined =>
  unit === undefined ? 1 : Object.hasOwn(KILOWATTS, unit) ? KILOWATTS[unit] : undefined

/** Returns the mistakes in `powerLimit`. */
export function powerLimitProblems({ powerLimit }: CommissioningFile, find: Find): FileProblem[] {
  if (!powerLimit) return []
  const { meter, ofLoads, loads } = judgedLoads('powerLimit', powerLimit, find)
  return [
    ...meter.problems,
    ...noPower(meter.placed, 'powerLimit.meter'),
    ...ofLoads,
    ...powerLimit.loads.flatMap((load, index) => [
      ...(load.kind === 'modulating' ? noPower(loads[index], `powerLimit.loads[${index}].datapoint`) : []),
      ...loadProblems(load, `powerLimit.loads[${index}]`),
    ]),
    ...storageProblems(powerLimit, find, { meter: meter.placed, loads }),
    ...ofSettings(powerLimit),
    ...inputProblems(powerLimit, find, { meter: meter.placed, loads }),
  ]
}

function noPower(placed: Placed | undefined, path: string): FileProblem[] {
  if (!placed || kwPerUnit(placed.datapoint) !== undefined) return []
  const { name, unit = '' } = placed.datapoint
  const message = `"${shown(name)}" is in ${shown(unit)}, which is no power: choose a datapoint in ${UNITS}, or correct its unit`
  return [{ path, message }]
}
const UNITS = Object.keys(KILOWATTS)
  .join(', ')
  .replace(/, (\w+)$/, ' or $1')

/** The fields that each kind of load must have; the other kind must not have them. */
const FIELDS_OF = {
  modulating: { needed: ['minKw', 'maxKw'], others: ['shedValue', 'ratedKw', 'minOnSeconds', 'minOffSeconds'] },
  switching: { needed: ['shedValue', 'ratedKw'], others: ['minKw', 'maxKw', 'storage'] },
} as const

function loadProblems(load: CommissionedLimitLoad, path: string): FileProblem[] {
  const { kind, minKw, maxKw, ratedKw } = load
  const { needed, others } = FIELDS_OF[kind]
  const missing = needed.filter((field) => load[field] === undefined)
  const wrong = others.filter((field) => load[field] !== undefined)
  const other = kind === 'modulating' ? 'switching' : 'modulating'
  const problems = [
    ...missing.map((field) => ({ path: `${path}.${field}`, message: `is missing: a ${kind} load needs it` })),
    ...wrong.map((field) => ({ path: `${path}.${field}`, message: `is only for ${other} loads: remove it` })),
  ]
  if (kind === 'modulating' && minKw !== undefined && maxKw !== undefined && minKw > maxKw) {
    problems.push({ path: `${path}.minKw`, message: `${minKw} is above maxKw ${maxKw}` })
  }
  if (kind === 'switching' && ratedKw !== undefined && !(ratedKw > 0)) {
    problems.push({ path: `${path}.ratedKw`, message: 'must be above 0: it is what the load draws while it runs' })
  }
  return problems
}

function ofSettings({ guaranteedKw, connectionKw, fallback }: CommissionedPowerLimit): FileProblem[] {
  const problems: FileProblem[] = []
  if (connectionKw !== undefined && !(connectionKw > 0)) {
    problems.push({ path: 'powerLimit.connectionKw', message: 'must be above 0' })
  } else if (connectionKw !== undefined && guaranteedKw > connectionKw) {
    problems.push({ path: 'powerLimit.guaranteedKw', message: `${guaranteedKw} is above connectionKw ${connectionKw}` })
  }
  if (fallback && fallback.importKw === undefined && fallback.exportKw === undefined) {
    problems.push({ path: 'powerLimit.fallback', message: 'needs importKw or exportKw: write one, or remove fallback' })
  }
  return problems
}

function storageProblems(
  { loads }: CommissionedPowerLimit,
  find: Find,
  used: { meter: Placed | undefined; loads: readonly (Placed | undefined)[] },
): FileProblem[] {
  const taken = datapointTaken()
  return loads.flatMap(({ storage }, index): FileProblem[] => {
    if (!storage) return []
    const path = `powerLimit.loads[${index}].storage`
    const { charge, capacityKwh, lowestPercent, highestPercent = STORAGE_DEFAULTS.highestPercent } = storage
    const { placed, problems } = judged(find, charge, `${path}.charge`, readable)
    const found = [...problems]
    const add = (field: string, message: string) => found.push({ path: `${path}.${field}`, message })
    const before = placed && taken(placed, `powerLimit.loads[${index}]`)
    const isUsed = placed && [used.meter, ...used.loads].some((one) => one?.path === placed.path)
    const { unit = '%' } = placed?.datapoint ?? {}
    if (before)
      add('charge', `"${shown(charge)}" is already the charge of ${before}: give one of them the whole capacity`)
    else if (isUsed)
      add('charge', `"${shown(charge)}" is the meter or a load: choose the datapoint that reads the charge`)
    else if (unit !== '%') {
      add('charge', `"${shown(charge)}" is in ${shown(unit)}: choose a datapoint in %, or correct its unit`)
    }
    if (!(capacityKwh > 0)) add('capacityKwh', 'must be above 0')
    if (lowestPercent >= highestPercent) {
      add('lowestPercent', `${lowestPercent} is not below highestPercent ${highestPercent}: nothing could be used`)
    }
    return found
  })
}

function inputProblems(
  powerLimit: CommissionedPowerLimit,
  find: Find,
  used: { meter: Placed | undefined; loads: readonly (Placed | undefined)[] },
): FileProblem[] {
  const taken = datapointTaken()
  return (powerLimit.inputs ?? []).flatMap((input, index) => {
    const path = `powerLimit.inputs[${index}]`
    const { placed, problems } = judged(find, input.datapoint, `${path}.datapoint`, readable)
    const before = placed && taken(placed, path)
    const load = placed ? used.loads.findIndex((one) => one?.path === placed.path) : -1
    const rules = [
      ...(before ? [`is already the contact of ${before}`] : []),
      ...(load >= 0 ? [`is the load of powerLimit.loads[${load}]: a contact must not be moved`] : []),
      ...(placed && placed.path === used.meter?.path ? ['is the meter'] : []),
    ]
    return [
      ...problems,
      ...rules.map((rule) => ({ path: `${path}.datapoint`, message: `"${shown(input.datapoint)}" ${rule}` })),
      ...levelProblems(input, powerLimit, path),
    ]
  })
}

function levelProblems(
  { limitKw, limitPercent }: CommissionedLimitInput,
  { connectionKw }: CommissionedPowerLimit,
  path: string,
): FileProblem[] {
  if (limitKw === undefined && limitPercent === undefined) return [{ path, message: 'needs limitKw or limitPercent' }]
  if (limitPercent === undefined) return []
  if (limitKw !== undefined) {
    return [{ path: `${path}.limitPercent`, message: 'conflicts with limitKw: keep one of them' }]
  }
  if (connectionKw !== undefined) return []
  const message = 'needs powerLimit.connectionKw, which it is a percentage of; or write limitKw'
  return [{ path: `${path}.limitPercent`, message }]
}

/** Returns limits that the site cannot be brought down to. */
export function powerLimitWarnings({ powerLimit }: CommissioningFile): FileProblem[] {
  if (!powerLimit) return []
  const { guaranteedKw, connectionKw, fallback, loads, inputs = [] } = powerLimit
  const moved = loads.reduce((sum, load) => sum + movedKw(load), 0)
  const warnings = (kw: number | undefined, path: string): FileProblem[] => {
    if (kw === undefined) return []
    if (kw < guaranteedKw) {
      return [{ path, message: `${kw} kW is below guaranteedKw: the controller limits to ${guaranteedKw} kW` }]
    }
    if (connectionKw === undefined || kw >= connectionKw - moved) return []
    const message = `${kw} kW may be out of reach: the loads can take ${moved} kW off the ${connectionKw} kW of the connection`
    return [{ path, message }]
  }
  return [
    ...warnings(fallback?.importKw, 'powerLimit.fallback.importKw'),
    ...inputs.flatMap((input, index) =>
      warnings(
        inputLimitKw(input, powerLimit),
        `powerLimit.inputs[${index}].${input.limitKw === undefined ? 'limitPercent' : 'limitKw'}`,
      ),
    ),
  ]
}

const movedKw = ({ kind, minKw = 0, maxKw = 0, ratedKw = 0 }: CommissionedLimitLoad) =>
  kind === 'modulating' ? maxKw - minKw : ratedKw
