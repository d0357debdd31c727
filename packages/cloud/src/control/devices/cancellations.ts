import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isStorable } from '../../platform/db/storable-text.ts'
import { createGroupWriter } from '../../platform/work/index.ts'
import { createAsk, readReplyIfValid } from './ask.ts'
import type { DeviceLink } from './device-link.ts'
import type { Dispatch } from './dispatch.ts'

/** While the database does not answer. */
const MAX_WAITING = 100_000
/** A state that arrived this long after a cancel contains it. */
const IN_STATE_AFTER = '10 minutes'

interface Cancelled {
  deviceId: string
  overrideId: string
}

/**
 * Remembers cancels that controllers have confirmed. A controller that dies before it sends its next state must not get
 * a cancelled override back through its replacement.
 */
export function rememberCancels<Link extends Pick<DeviceLink, 'dispatch' | 'close'>>(
  link: Link,
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): Link {
  const write = (cancelled: readonly Cancelled[]) => store(db, cancelled, new Date(clock.now()))
  const what = 'that overrides were cancelled'
  const writer = createGroupWriter<Cancelled>({ write, what, most: MAX_WAITING, clock, log })

  const dispatch: Dispatch = (deviceId, command, request, options) => {
    const reply = link.dispatch(deviceId, command, request, options)
    if (!CANCELS.has(command)) return reply
    return reply.then((bytes) => {
      writer.add(...cancelledBy(command, request.data, bytes).map((overrideId) => ({ deviceId, overrideId })))
      return bytes
    })
  }
  const close = () => {
    void writer.close()
    link.close()
  }
  const own = { dispatch: { value: dispatch }, ask: { value: createAsk(dispatch) }, close: { value: close } }
  return Object.create(link, own) as Link
}

const CANCELS: ReadonlySet<string> = new Set(['demandResponseCancel', 'cancelOverrides', 'cancelOverridesByReqId'])

function cancelledBy(command: string, data: Record<string, unknown>, reply: Buffer): string[] {
  if (command === 'demandResponseCancel') return isStorable(data.id) ? [data.id] : []
  const name = command === 'cancelOverrides' ? command : 'cancelOverridesByReqId'
  const { cancelled = [] } = readReplyIfValid(name, reply) ?? {}
  return cancelled.flatMap(({ id }) => (isStorable(id) ? [id] : []))
}

async function store(db: Db, cancelled: readonly Cancelled[], at: Date): Promise<void> {
  const deviceIds = cancelled.map(({ deviceId }) => deviceId)
  await sql`
    INSERT INTO override_cancelled (device_id, override_id, at)
    SELECT DISTINCT device.id, given.override_id, ${at}::timestamptz
    FROM unnest(${deviceIds}::text[], ${cancelled.map(({ overrideId }) => overrideId)}::text[])
      AS given (device_id, override_id)
    JOIN device ON device.id = given.device_id
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`
    DELETE FROM override_cancelled AS old USING device_state AS state
    WHERE old.device_id = ANY(${deviceIds}::text[]) AND state.device_id = old.device_id
      AND state.received_at > old.at + ${IN_STATE_AFTER}::interval
      AND NOT EXISTS (
        SELECT FROM device_replacement AS open WHERE open.device_id = old.device_id AND open.finished_at IS NULL
      )`.execute(db)
}
