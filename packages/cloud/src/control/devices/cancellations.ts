import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isStorable } from '../../platform/db/storable-text.ts'
import { createAsk, readReplyIfValid } from './ask.ts'
import type { DeviceLink } from './device-link.ts'
import type { Dispatch } from './dispatch.ts'

const RETRY_MS = 1_000
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
  let waiting: Cancelled[] = []
  let isStoring = false
  const closing = new AbortController()

  async function storeWaiting(): Promise<void> {
    if (isStoring) return
    isStoring = true
    while (waiting.length > 0) {
      const batch = waiting
      try {
        await store(db, batch, new Date(clock.now()))
        waiting = waiting.slice(batch.length)
      } catch (error) {
        if (closing.signal.aborted) break
        log.warn({ err: error }, 'could not store that overrides were cancelled; retrying')
        await sleep(clock, RETRY_MS, closing.signal)
      }
    }
    isStoring = false
  }

  const dispatch: Dispatch = (deviceId, command, request, options) => {
    const reply = link.dispatch(deviceId, command, request, options)
    if (!CANCELS.has(command)) return reply
    return reply.then((bytes) => {
      const ids = cancelledBy(command, request.data, bytes)
      if (ids.length > 0 && waiting.length < MAX_WAITING) {
        waiting = [...waiting, ...ids.map((overrideId) => ({ deviceId, overrideId }))]
        void storeWaiting()
      }
      return bytes
    })
  }
  const close = () => {
    closing.abort()
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
