import { integer, optional, text } from '../schema.ts'

export const seconds = integer({ minimum: 0, maximum: 86_400 })

/** A datapoint of the file, called as `names.ts` says. */
export const reference = text({ minLength: 1, maxLength: 2 * 255 + 1 })

/** What every load has that peak shaving or a power limit may move. */
export const loadFields = {
  datapoint: reference,
  priority: integer({ minimum: 0, maximum: 1_000_000 }),
  minOnSeconds: optional(seconds),
  minOffSeconds: optional(seconds),
}
