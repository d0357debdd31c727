import { useSyncExternalStore } from 'react'

/** Whether this browser shows notifications of new alerts to a person. */
export type NotificationState = 'off' | 'on' | 'blocked' | 'unsupported'

const KEY = 'plantroom-alert-notifications'
/** Has the id of the person while this browser also gets alerts without an open page. */
const PUSH_KEY = 'plantroom-alert-push'
/** Where tabs remember which alerts they have seen. */
export const SEEN_KEY = 'plantroom-seen-alerts'
/** Called when the setting changes in this tab; the browser notifies the other tabs. */
const listeners = new Set<() => void>()
/** Some phones have the interface, and refuse to use it without a program in the background. */
let isRefused = false

function read(userId: string): NotificationState {
  // Missing where the page did not come over HTTPS, and on phones that need the page to be installed.
  if (isRefused || !('Notification' in globalThis) || !('locks' in navigator)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && stored(KEY) === userId ? 'on' : 'off'
}

/** Private windows may have no storage. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(userId: string | null): void {
  try {
    // What happens until it is on again is not reported later.
    localStorage.removeItem(userId === null ? KEY : SEEN_KEY)
    if (userId !== null) localStorage.setItem(KEY, userId)
  } catch {
    // The switch stays off, which is what the person sees.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export function useNotificationState(userId: string): NotificationState {
  return useSyncExternalStore(subscribe, () => read(userId))
}

/** True while this browser gets alerts without an open page, too. */
export function useIsPushed(userId: string): boolean {
  return useSyncExternalStore(subscribe, () => stored(PUSH_KEY) === userId)
}

/** Asks the browser for permission, and shows a first notification as proof. */
export async function turnNotificationsOn(userId: string, proof: { title: string; body: string }): Promise<void> {
  const permission = await Notification.requestPermission()
  if (permission === 'granted' && notify({ ...proof, id: KEY })) store(userId)
  else store(null)
}

export const turnNotificationsOff = (): void => store(null)

/** Records that this browser gets alerts without an open page, too. */
export function setPushed(userId: string | null): void {
  try {
    if (userId === null) localStorage.removeItem(PUSH_KEY)
    else localStorage.setItem(PUSH_KEY, userId)
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

/** Shows a notification. False when the browser refuses. */
export function notify(about: { id: string; title: string; body: string; onOpen?: () => void }): boolean {
  const { id, title, body, onOpen } = about
  try {
    const shown = new Notification(title, { body, tag: id, icon: '/icon-192.png' })
    shown.addEventListener('click', () => {
      window.focus()
      shown.close()
      onOpen?.()
    })
    return true
  } catch {
    isRefused = true
    return false
  }
}
