import { alertSentences, alertNotifications as texts } from '../texts/alerts.ts'
import { format } from '../texts/format.ts'

/** Where the program in the background finds its texts. */
const TEXTS = '/notification-texts'
const OPEN_KEY = 'plantroom-open-notifications'
/** Counts that have a text of their own. More are shown as this many. */
const MOST_COUNTED = 99

/** Whether notifications say what is wrong and where, also on a locked screen. */
export const isOpenlyShown = (): boolean => localStorage.getItem(OPEN_KEY) === 'yes'

export async function setOpenlyShown(isOpen: boolean): Promise<void> {
  localStorage.setItem(OPEN_KEY, isOpen ? 'yes' : 'no')
  await storeNotificationTexts()
}

/** Stores the texts of notifications for when no page is open, in the language of this page. */
export async function storeNotificationTexts(): Promise<void> {
  const many = Array.from({ length: MOST_COUNTED }, (_, index) => format(texts.many, { count: index + 1 }))
  const stored = { many, sentences: alertSentences, isOpen: isOpenlyShown() }
  await (await caches.open('plantroom')).put(TEXTS, new Response(JSON.stringify(stored)))
}
