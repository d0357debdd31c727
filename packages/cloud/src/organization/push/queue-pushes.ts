import { groupAlerts } from '@plantroom/contract/alert-groups'
import type { Alert } from '@plantroom/contract/alerts'
import type { Db } from '../../platform/db/database.ts'
import { createPushStore } from './push-store.ts'

/** Push services take at most 4096 bytes, encrypted. */
const LONGEST_NAME = 200

/** What a browser is notified about. Its texts are in the browser, in the language of the person. */
export interface PushPayload {
  /** How many causes there are. */
  count: number
  orgId: string
  siteId: string
  site: string
  /** The first of them. */
  alert: { id: string; kind: Alert['kind']; subject: string; device: string }
}

/** Queues one message about new alerts of an organization for each browser that is notified about one of their sites. */
export async function queuePushes(
  tx: Db,
  organizationId: string,
  opened: readonly (Alert & { siteName: string })[],
  now: Date,
): Promise<void> {
  const store = createPushStore(tx)
  const siteIds = [...new Set(opened.map(({ siteId }) => siteId))]
  const messages = (await store.browsersOf(organizationId, siteIds, now)).flatMap(({ id: to, siteIds: seen }) => {
    const groups = groupAlerts(opened.filter(({ siteId }) => seen.includes(siteId)))
    const [first] = groups
    if (!first) return []
    const { id, kind, subject, deviceName, siteId, siteName } = first.lead
    const payload: PushPayload = {
      ...{ count: groups.length, orgId: organizationId, siteId, site: short(siteName) },
      alert: { id, kind, subject: short(subject.name), device: short(deviceName ?? '') },
    }
    return [{ to, payload: JSON.stringify(payload) }]
  })
  await store.queue(organizationId, messages, now)
}

const short = (text: string) => [...text].slice(0, LONGEST_NAME).join('')
