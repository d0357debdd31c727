import { Paper } from '@mantine/core'
import { useContext, useSyncExternalStore } from 'react'
import { queries } from '../api/queries.ts'
import { lastState } from '../api/use-session.ts'
import { PlaceContext } from '../api/use-site.ts'
import { ownTimeZone } from '../own-time-zone.ts'
import { minuteTime } from '../parts/time.ts'
import { serviceNow, serviceTimeOf } from '../service-clock.ts'
import { common } from '../texts/common.ts'
import { format } from '../texts/format.ts'
import classes from './frame.module.css'

const subscribe = (listener: () => void) => queries.getQueryCache().subscribe(listener)

/** Says that the page shows what this browser knew last, until the service has answered. */
export function LastStateNote() {
  const since = useSyncExternalStore(subscribe, lastState.shownSince)
  const timeZone = useContext(PlaceContext)?.site?.timeZone ?? ownTimeZone()
  if (since === undefined) return null
  return (
    <Paper withBorder shadow="sm" role="status" className={classes.note} data-print="never">
      {format(common.asOf, { time: minuteTime(serviceTimeOf(since), timeZone, serviceNow()) })}
    </Paper>
  )
}
