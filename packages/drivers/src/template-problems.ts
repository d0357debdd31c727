import { systemClock } from '@plantroom/base/clock'
import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { fillTemplate, rangesOf, sampleAnswers, type Template } from '@plantroom/contract/templates'
import type { Problem } from './driver.ts'
import { nearestRaw } from './modbus/codec.ts'
import { REGISTERS_OF, type ValueType } from './modbus/config.ts'
import { createProtocols } from './protocols.ts'

/**
 * Returns what the drivers find wrong with a template, filled in with its defaults and examples: addresses, values that
 * a register cannot hold, and registers that overlap. Opens nothing. The template must be valid otherwise.
 */
export function templateAddressProblems(template: Template): Problem[] {
  const protocols = createProtocols(systemClock)
  return template.protocols.flatMap(({ protocol }, index) => {
    const answers = sampleAnswers(template, protocol)
    const connection = fillTemplate(template, answers).file?.connections[0]
    if (!connection) return []
    const problems = protocols[protocol].check(connection)
    if (problems.length > 0) return problems.map((problem) => inTemplate(problem, index))
    // The datapoints are the same for each protocol.
    if (index > 0 || !protocol.startsWith('modbus')) return []
    return registerProblems(connection, rangesOf(template, answers))
  })
}

const inTemplate = ({ path, message }: Problem, index: number): Problem => ({
  path: path.startsWith('settings') ? `protocols[${index}].${path}` : path,
  message,
})

interface Range {
  min: number
  max: number
}

function registerProblems({ datapoints }: CommissionedConnection, ranges: readonly (Range | undefined)[]): Problem[] {
  return [
    ...datapoints.flatMap((datapoint, index) => valueProblems(datapoint, ranges[index], `datapoints[${index}]`)),
    ...overlaps(datapoints),
  ]
}

interface Place {
  table?: string
  register: number
  type?: ValueType
  bit?: number
}
// The driver has checked it.
const placeOf = ({ data }: CommissionedDatapoint) => data as unknown as Place

function valueProblems(datapoint: CommissionedDatapoint, range: Range | undefined, path: string): Problem[] {
  const { type, bit } = placeOf(datapoint)
  if (type === undefined || bit !== undefined) return []
  const { writeInputData, limits, releaseValue, scaler = IDENTITY_SCALER } = datapoint
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  const perUnit = (outputValue2 - outputValue1) / (inputValue2 - inputValue1)
  const values = { range, writeInputData, limits: limits && { min: limits.min, max: limits.max }, releaseValue }
  return Object.entries(values).flatMap(([field, given]) =>
    Object.entries(typeof given === 'number' ? { '': given } : { ...given }).flatMap(([end, value]) => {
      if (typeof value !== 'number') return []
      const raw = outputValue1 + (value - inputValue1) * perUnit
      const message = notHeld(type, raw, value)
      return message === undefined ? [] : [{ path: [path, field, end].filter(Boolean).join('.'), message }]
    }),
  )
}

function notHeld(type: ValueType, raw: number, value: number): string | undefined {
  try {
    nearestRaw(type, Number(raw.toPrecision(12)))
    return undefined
  } catch (failure) {
    const why = `${value} is ${Number(raw.toPrecision(12))} in the register: ${(failure as Error).message}`
    const wraps = raw < 0 && type.startsWith('uint')
    return wraps
      ? `${why}; -1 would read as a large number. Use ${type.slice(1)} if the maker's document says so, or correct the range`
      : `${why}; correct the range, the scale or the type`
  }
}

/** Finds datapoints that share a register. Two bits of one register are no overlap. */
function overlaps(datapoints: readonly CommissionedDatapoint[]): Problem[] {
  const owners = new Map<string, { name: string; bit: number | undefined }[]>()
  return datapoints.flatMap((datapoint, index) => {
    const { table = 'holding', register: start, type = 'bool', bit } = placeOf(datapoint)
    const { name } = datapoint
    const count = table === 'coil' || table === 'discrete' ? 1 : REGISTERS_OF[type]
    for (let register = start; register < start + count; register += 1) {
      const others = owners.get(`${table} ${register}`) ?? []
      const other = others.find((one) => one.bit === undefined || bit === undefined || one.bit === bit)
      if (other) {
        const message = `${name} and ${other.name} overlap at ${table} register ${register}: correct register or type`
        return [{ path: `datapoints[${index}].data.register`, message }]
      }
      owners.set(`${table} ${register}`, [...others, { name, bit }])
    }
    return []
  })
}
