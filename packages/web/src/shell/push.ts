import { api } from '../api/service.ts'
import { setPushed } from '../parts/alert-notifications.ts'
import { storeNotificationTexts } from '../parts/notification-texts.ts'

const PROGRAM = '/notify.js'

/**
 * Lets this browser have new alerts while no page of the console is open. Done for every page that opens: a subscription
 * ends with the session, and browsers replace theirs. Where a browser has no push service, the open page remains.
 */
export async function renewPush(userId: string): Promise<void> {
  setPushed((await subscribe().catch(() => false)) ? userId : null)
}

async function subscribe(): Promise<true> {
  await storeNotificationTexts()
  const program = await navigator.serviceWorker.register(PROGRAM)
  const { key } = await api.getPushKey({})
  const subscription = await program.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys = {} } = subscription.toJSON()
  await api.addPushSubscription({
    body: { endpoint: endpoint ?? '', p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' },
  })
  return true
}

/** Ends it. The service forgets the browser in any case when the session ends. */
export async function endPush(): Promise<void> {
  setPushed(null)
  const program = await navigator.serviceWorker?.getRegistration(PROGRAM)
  const subscription = await program?.pushManager.getSubscription()
  if (!subscription) return
  await subscription.unsubscribe()
  await api.removePushSubscription({ query: { endpoint: subscription.endpoint } })
}
