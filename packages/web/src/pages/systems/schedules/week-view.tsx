import type { ScheduleSlot } from '@plantroom/contract/datapoint'
import { Fragment } from 'react'
import { shownValue } from '../../../parts/value.ts'
import { commissioning } from '../../../texts/commissioning.ts'
import { format } from '../../../texts/format.ts'
import { describeSlotValue, hourOfDay } from '../review/describe-change.ts'
import classes from './schedules.module.css'
import { layoutWeek } from './week-layout.ts'

const TICKS = [0, 6, 12, 18, 24]
/** Narrower segments have no room for a number; the list below has it. */
const ROOM_FOR_VALUE = 9

/** The week of a schedule, drawn for sighted people. The list of slots has the same content. */
export function WeekView({ slots, unit }: { slots: readonly ScheduleSlot[]; unit: string | undefined }) {
  return (
    <div className={classes.week} aria-hidden="true">
      {layoutWeek(slots).map(({ weekday, segments }) => (
        <Fragment key={weekday}>
          <span className={classes.day}>{commissioning.days[weekday]}</span>
          <div className={classes.track}>
            {TICKS.slice(1, -1).map((hour) => (
              <div key={hour} className={classes.line} style={{ left: `${(100 * hour) / 24}%` }} />
            ))}
            {segments.map(({ slot, left, width }) => (
              <div
                key={left}
                className={classes.segment}
                style={{ left: `${left}%`, width: `${width}%` }}
                title={describeSlotValue(slot, unit)}
              >
                {width >= ROOM_FOR_VALUE && shortValue(slot, unit, width)}
              </div>
            ))}
          </div>
        </Fragment>
      ))}
      <span />
      <div className={classes.axis}>
        {TICKS.map((hour) => (
          <span key={hour} className={classes.tick} style={{ left: `${(100 * hour) / 24}%` }}>
            {hourOfDay(hour)}
          </span>
        ))}
      </div>
    </div>
  )
}

function shortValue({ mode, value }: ScheduleSlot, unit: string | undefined, width: number): string {
  const signed =
    mode === 'offset' && value >= 0 ? format(commissioning.offsetUp, { value: shownValue(value) }) : shownValue(value)
  return unit && width > 18 ? shownValue(signed, unit) : signed
}
