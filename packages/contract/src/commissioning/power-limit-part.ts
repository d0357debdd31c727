import { MAX_LIMIT_KW } from '../power-limit.ts'
import { array, closedObject, number, oneOf, optional, type Static } from '../schema.ts'
import { loadFields, reference, seconds } from './fields.ts'

const kw = number({ minimum: -MAX_LIMIT_KW, maximum: MAX_LIMIT_KW })
const limitKw = number({ minimum: 0, maximum: MAX_LIMIT_KW })

const percent = number({ minimum: 0, maximum: 100 })

const CommissionedStorage = closedObject({
  charge: reference,
  // That it is above 0 is checked apart.
  capacityKwh: number({ minimum: 0, maximum: MAX_LIMIT_KW }),
  lowestPercent: percent,
  highestPercent: optional(percent),
})
export interface CommissionedStorage extends Static<typeof CommissionedStorage> {}

/** What `highestPercent` is where the file does not say it. */
export const STORAGE_DEFAULTS = { highestPercent: 100 } as const

const CommissionedLimitLoad = closedObject({
  ...loadFields,
  kind: oneOf(['modulating', 'switching']),
  // Which of these a kind needs is checked apart: a schema would only say that neither kind fits.
  minKw: optional(kw),
  maxKw: optional(kw),
  shedValue: optional(number()),
  ratedKw: optional(kw),
  storage: optional(CommissionedStorage),
})
export interface CommissionedLimitLoad extends Static<typeof CommissionedLimitLoad> {}

const CommissionedLimitInput = closedObject({
  datapoint: reference,
  // One of the two, which is checked apart.
  limitKw: optional(limitKw),
  limitPercent: optional(number({ minimum: 0, maximum: 100, description: 'Of connectionKw' })),
  closedValue: optional(number()),
  debounceSeconds: optional(seconds),
  whenLost: optional(oneOf(['closed', 'open'])),
})
export interface CommissionedLimitInput extends Static<typeof CommissionedLimitInput> {}

/** What `closedValue`, `debounceSeconds` and `whenLost` are where the file does not say them. */
export const INPUT_DEFAULTS = { closedValue: 1, debounceSeconds: 2, whenLost: 'closed' } as const

/** The connection point that power limits are about: its meter, and what may be moved. */
export const CommissionedPowerLimit = closedObject({
  meter: reference,
  guaranteedKw: limitKw,
  connectionKw: optional(limitKw),
  fallback: optional(closedObject({ importKw: optional(limitKw), exportKw: optional(limitKw) })),
  loads: array(CommissionedLimitLoad, { maxItems: 1_000 }),
  inputs: optional(array(CommissionedLimitInput, { maxItems: 100 })),
})
export interface CommissionedPowerLimit extends Static<typeof CommissionedPowerLimit> {}

/** Returns the limit of a contact in kW; `undefined` when the file does not say it. */
export function inputLimitKw(
  { limitKw, limitPercent }: Pick<CommissionedLimitInput, 'limitKw' | 'limitPercent'>,
  { connectionKw }: Pick<CommissionedPowerLimit, 'connectionKw'>,
): number | undefined {
  if (limitPercent === undefined || connectionKw === undefined) return limitKw
  return (connectionKw * limitPercent) / 100
}
