import type { SignedIn } from '@plantroom/contract/roles'
import { useEffect, useEffectEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useOpenAlerts } from '../api/use-open-alerts.ts'
import { sitePath } from '../api/use-site.ts'
import { notify, SEEN_KEY, useIsPushed, useNotificationState } from '../parts/alert-notifications.ts'
import { describeAlert } from '../parts/describe-alert.ts'
import { newAlerts, type OpenAlerts, type SeenAlerts, seen } from '../parts/new-alerts.ts'
import { useTitleAlerts } from '../parts/page-title.ts'
import { alertNotifications as texts } from '../texts/alerts.ts'
import { format, formatNumber } from '../texts/format.ts'

/** More than these at once become one notification. */
const ONE_BY_ONE = 3
const LOCK = 'plantroom-alert-notifications'

type OrganizationAlerts = OpenAlerts & { orgId: string }

/** Counts open alerts in the title of the tab, and shows notifications of new ones to people who want them. */
export function useAlertWatch(signedIn: SignedIn): void {
  const loaded = useOpenAlerts(signedIn.organizations).flatMap(({ data }) => data ?? [])
  const count = loaded.reduce((sum, { alerts }) => sum + alerts.length, 0)
  const shown = loaded.some(({ hasMore }) => hasMore) ? `${formatNumber(count)}+` : formatNumber(count)
  useTitleAlerts(count === 0 ? '' : shown)

  const isOn = useNotificationState(signedIn.user.id) === 'on'
  usePush(signedIn.user.id, isOn)
  const notifyAll = useEffectEvent((all: readonly OrganizationAlerts[]) => notifyOfNew(signedIn, all))
  const state = JSON.stringify(loaded.map(({ orgId, alerts }) => [orgId, alerts.map(({ id }) => id)]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` stands for what `loaded` holds
  useEffect(() => {
    if (!isOn || loaded.length === 0) return
    // One tab at a time compares and remembers, so that each alert is shown once.
    void navigator.locks.request(LOCK, () => notifyAll(loaded))
  }, [isOn, state])
}

/** Follows the switch also where no page is open. */
function usePush(userId: string, isOn: boolean): void {
  const isPushed = useIsPushed(userId)
  const mayEnd = useEffectEvent(() => isPushed)
  useEffect(() => {
    if (!isOn && !mayEnd()) return
    import('./push.ts').then(({ renewPush, endPush }) => (isOn ? renewPush(userId) : endPush())).catch(() => {})
  }, [userId, isOn])
}

function notifyOfNew(signedIn: SignedIn, all: readonly OrganizationAlerts[]): void {
  const known = readSeen(signedIn.user.id)
  const found = all.flatMap((own) => newAlerts(known[own.orgId], own).map((alert) => ({ ...alert, orgId: own.orgId })))
  writeSeen(signedIn.user.id, {
    ...known,
    ...Object.fromEntries(all.map((own) => [own.orgId, seen(own, known[own.orgId])])),
  })
  const [newest] = found
  if (!newest) return
  const open = (orgId: string, siteId: string, id: string) => () =>
    navigate(sitePath(orgId, siteId, `/alerts?alert=${encodeURIComponent(id)}`))
  if (found.length > ONE_BY_ONE) {
    const body = format(texts.manyBody, { alert: describeAlert(newest) })
    notify({ id: newest.id, title: format(texts.many, { count: found.length }), body, onOpen: () => navigate('/?all') })
    return
  }
  for (const alert of found) {
    const { id, orgId, siteId } = alert
    const sites = signedIn.organizations.find((organization) => organization.id === orgId)?.sites
    const site = sites?.find((one) => one.id === siteId)?.name ?? ''
    notify({ id, title: format(texts.one, { site }), body: describeAlert(alert), onOpen: open(orgId, siteId, id) })
  }
}

type SeenByOrganization = Readonly<Record<string, SeenAlerts>>

function readSeen(userId: string): SeenByOrganization {
  try {
    const kept = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '{}') as { userId?: string; seen?: SeenByOrganization }
    return kept.userId === userId ? (kept.seen ?? {}) : {}
  } catch {
    return {}
  }
}

function writeSeen(userId: string, all: SeenByOrganization): void {
  try {
    localStorage.setItem(SEEN_KEY, JSON.stringify({ userId, seen: all }))
  } catch {
    // Without storage an alert may be shown again.
  }
}
