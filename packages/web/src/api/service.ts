import { createClient } from '@plantroom/client/client'
import { createSend } from '@plantroom/client/http'
import { fetchInTime } from './fetch-in-time.ts'
import { createFreshCheck, repeatAfterCheck } from './fresh-check.ts'

/** Asks the person who they are when the service wants a recent proof. */
export const freshCheck = createFreshCheck()

/** The service that served this page. The browser adds the session cookie. */
export const api = createClient(repeatAfterCheck(createSend('', {}, fetchInTime), freshCheck))
