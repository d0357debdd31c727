import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import { createCommentStore } from './comment-store.ts'

const PLANTROOM = { email: null, name: 'Plantroom', phone: null }

/** Returns a function that adds a comment of the service itself. It does nothing when the request is gone. */
export function commentByService(clock: Clock) {
  return async (tx: Db, comment: { siteId: string; number: number; content: string }): Promise<void> => {
    // Only mail to mentioned people names the page.
    const added = { ...comment, author: PLANTROOM, page: '', at: new Date(clock.now()) }
    await createCommentStore(tx).add(added)
  }
}
