import { type CommissionedConnection, type CommissionedDatapoint, failsafeOf } from '@plantroom/contract/commissioning'
import { type Answers, fillTemplate, rangesOf, sampleAnswers, type Template } from '@plantroom/contract/templates'

/** A datapoint of a template that has been filled in, with the raw value that the equipment shows at its start. */
export interface SimulatedPoint {
  datapoint: CommissionedDatapoint
  raw: number
}

/** Fills a template in with its defaults and examples, and gives each datapoint a value to start with. */
export function simulatedPoints(
  template: Template,
  given: Answers,
): { connection: CommissionedConnection; points: SimulatedPoint[] } {
  const answers = { ...sampleAnswers(template, given.protocol as string | undefined), ...given }
  const { file, problems } = fillTemplate(template, answers)
  const [connection] = file?.connections ?? []
  if (!connection) throw new Error(problems?.map(({ path, message }) => `${path}: ${message}`).join('; '))
  const ranges = rangesOf(template, answers)
  const timers = new Set(connection.datapoints.map(({ failsafe }) => failsafe && failsafeOf(failsafe)?.register))
  const points = connection.datapoints.map((datapoint, index) => ({
    datapoint,
    raw: timers.has(datapoint.name) ? 0 : rawOf(datapoint, startValue(datapoint, ranges[index])),
  }))
  return { connection, points }
}

/** Off for what is on or off, otherwise a value within what the datapoint can show. */
function startValue(
  { unit, limits, writeInputData }: CommissionedDatapoint,
  range: { min: number; max: number } | undefined,
): number {
  if (unit === 'on/off') return 0
  const min = range?.min ?? limits?.min ?? writeInputData?.min
  const max = range?.max ?? limits?.max ?? writeInputData?.max
  if (min === undefined || max === undefined) return 1
  const value = min + (max - min) / 4
  return max - min >= 2 ? Math.round(value) + 0 : value
}

/** Returns the raw value for a value in engineering units. */
export function rawOf({ scaler }: Pick<CommissionedDatapoint, 'scaler'>, value: number): number {
  if (!scaler) return value
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  const perUnit = (outputValue2 - outputValue1) / (inputValue2 - inputValue1)
  return Number((outputValue1 + (value - inputValue1) * perUnit).toPrecision(12))
}
