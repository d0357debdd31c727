import type { ReportedValue } from '@plantroom/contract/reports'
import { format } from '../texts/format.ts'
import { values as texts } from '../texts/values.ts'
import classes from './figure.module.css'
import { duration } from './time.ts'
import { type ShownValue, valueParts } from './value.ts'

/** A value with a lighter unit. An old one is small and gray, with its age if that is known. */
export function Figure({
  value,
  unit,
  isOld = false,
  ageMs,
}: {
  value: ReportedValue | undefined
  unit: string | undefined
  isOld?: boolean
  ageMs?: number | undefined
}) {
  return (
    <span className={classes.figure} data-old={isOld || undefined}>
      <Digits {...valueParts(value, unit)} />
      {isOld && ageMs !== undefined && (
        <span className={classes.age}>{format(texts.old, { age: duration(ageMs) })}</span>
      )}
    </span>
  )
}

/** A number and its unit, on one line. */
export function Digits({ number, unit }: ShownValue) {
  return (
    <>
      {number}
      {unit !== undefined && <span className={classes.unit}>{`\u00A0${unit}`}</span>}
    </>
  )
}
