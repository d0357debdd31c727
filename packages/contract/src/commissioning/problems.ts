import { isBounded } from '../datapoint.ts'
import { shown } from '../shown.ts'
import { failsafeOf, failsafeProblems } from './failsafes.ts'
import type { CommissionedDatapoint, CommissioningFile, FileProblem } from './file.ts'
import { datapointsByReference, nameTaken } from './names.ts'
import { peakShavingProblems, scheduleProblems } from './optimisation.ts'
import { kwPerUnit, powerLimitProblems, powerLimitWarnings } from './power-limit-problems.ts'

/** Returns all mistakes that a schema cannot express, in file order: duplicate names, scalers without a slope. */
export function fileProblems(file: CommissioningFile): FileProblem[] {
  const find = datapointsByReference(file)
  const ofFailsafes = failsafeProblems(file, find)
  const sameConnection = nameTaken('connections')
  const ofConnections = file.connections.flatMap((connection, c) => {
    const path = `connections[${c}].datapoints`
    const sameDatapoint = nameTaken(path)
    const ofFailsafe = ofFailsafes(connection, path)
    return [
      ...sameConnection(connection.name, c),
      ...connection.datapoints.flatMap((datapoint, d) => [
        ...sameDatapoint(datapoint.name, d),
        ...datapointProblems(datapoint, `${path}[${d}]`),
        ...ofFailsafe(datapoint, d),
      ]),
    ]
  })
  return [
    ...ofConnections,
    ...peakShavingProblems(file, find),
    ...powerLimitProblems(file, find),
    ...scheduleProblems(file, find),
  ]
}

function datapointProblems(datapoint: CommissionedDatapoint, path: string): FileProblem[] {
  const problems: FileProblem[] = []
  const { writeInputData, scaler } = datapoint
  if (datapoint.accessType === 'READ') {
    for (const field of ['writeInputType', 'writeInputData', 'releaseValue', 'limits'] as const) {
      if (datapoint[field] === undefined) continue
      problems.push({ path: `${path}.${field}`, message: 'is only for datapoints that can be written' })
    }
  }
  if (writeInputData && writeInputData.min > writeInputData.max) {
    const message = `min ${writeInputData.min} is above max ${writeInputData.max}`
    problems.push({ path: `${path}.writeInputData`, message })
  }
  problems.push(...limitProblems(datapoint, path))
  if (scaler && (scaler.inputValue1 === scaler.inputValue2 || scaler.outputValue1 === scaler.outputValue2)) {
    problems.push({ path: `${path}.scaler`, message: 'needs two different inputs and two different outputs' })
  }
  return problems
}

function limitProblems({ limits, releaseValue, accessType }: CommissionedDatapoint, path: string): FileProblem[] {
  if (!limits) return []
  const { min, max, maxStepPerMinute } = limits
  const problems: FileProblem[] = []
  const say = (field: string, message: string) => problems.push({ path: `${path}.${field}`, message })
  if (min !== undefined && max !== undefined && min > max) say('limits', `min ${min} is above max ${max}`)
  if (maxStepPerMinute !== undefined && !(maxStepPerMinute > 0)) say('limits.maxStepPerMinute', 'must be above 0')
  if (maxStepPerMinute !== undefined && accessType === 'WRITE') {
    say('limits.maxStepPerMinute', 'needs a datapoint that can be read: make it READ_WRITE or leave this limit out')
  }
  if (releaseValue !== undefined && min !== undefined && releaseValue < min) {
    say('releaseValue', `${releaseValue} is below limits.min ${min}`)
  }
  if (releaseValue !== undefined && max !== undefined && releaseValue > max) {
    say('releaseValue', `${releaseValue} is above limits.max ${max}`)
  }
  return problems
}

const NO_RELEASE_VALUE =
  'WRITE datapoint without releaseValue: when an override ends, the controller writes back what it can read from the address, or else leaves the last setpoint'

const NO_BOUNDS =
  'writable datapoint without writeInputData: no client can warn about a setpoint that is far off, and the output cannot be tested; add min and max'

/** Returns what is valid in a commissioning file but worth a second look, in file order. */
export function fileWarnings(file: CommissioningFile): FileProblem[] {
  return [...outputWarnings(file), ...powerLimitWarnings(file), ...clampWarnings(file)]
}

/** Local writers that want what the limits of their datapoint do not allow. The controller clamps it. */
function clampWarnings(file: CommissioningFile): FileProblem[] {
  const find = datapointsByReference(file)
  const warning = (path: string, reference: string, value: number): FileProblem[] => {
    const { min, max } = find(reference)[0]?.datapoint.limits ?? {}
    const name = `"${shown(reference)}": the controller writes`
    if (min !== undefined && value < min)
      return [{ path, message: `${value} is below limits.min ${min} of ${name} ${min}` }]
    if (max !== undefined && value > max)
      return [{ path, message: `${value} is above limits.max ${max} of ${name} ${max}` }]
    return []
  }
  const { peakShaving, powerLimit, schedules = [] } = file
  return [
    ...(peakShaving?.loads ?? []).flatMap(({ datapoint, shedValue }, index) =>
      warning(`peakShaving.loads[${index}].shedValue`, datapoint, shedValue),
    ),
    ...(powerLimit?.loads ?? []).flatMap(({ datapoint, shedValue, minKw, maxKw }, index) => {
      const inUnits = (kw: number | undefined) => kw && kw / (kwPerUnit(find(datapoint)[0]?.datapoint ?? {}) ?? 1)
      return Object.entries({ shedValue, minKw: inUnits(minKw), maxKw: inUnits(maxKw) }).flatMap(([field, value]) =>
        value === undefined ? [] : warning(`powerLimit.loads[${index}].${field}`, datapoint, value),
      )
    }),
    ...schedules.flatMap(({ datapoint, slots }, index) =>
      slots.flatMap(({ mode, value }, s) =>
        mode === 'offset' ? [] : warning(`schedules[${index}].slots[${s}].value`, datapoint, value),
      ),
    ),
  ]
}

/** What a writable datapoint lacks. */
function outputWarnings(file: CommissioningFile): FileProblem[] {
  return file.connections.flatMap(({ datapoints }, c) => {
    // The controller never holds a failsafe register, so it never releases one.
    const registers = new Set(datapoints.map(({ failsafe }) => failsafe && failsafeOf(failsafe)?.register))
    return datapoints.flatMap(({ name, accessType, releaseValue, writeInputData, limits = {} }, d) => {
      if (accessType === 'READ' || registers.has(name)) return []
      const isLimited = limits.min !== undefined && limits.max !== undefined
      return [
        ...(accessType === 'WRITE' && releaseValue === undefined ? [NO_RELEASE_VALUE] : []),
        ...(isBounded(writeInputData) || isLimited ? [] : [NO_BOUNDS]),
      ].map((message) => ({ path: `connections[${c}].datapoints[${d}]`, message }))
    })
  })
}
