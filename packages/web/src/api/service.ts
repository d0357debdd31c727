import { createClient } from '@plantroom/client/client'
import { createSend } from '@plantroom/client/http'

/** The service that served this page. The browser adds the session cookie. */
export const api = createClient(createSend('', {}))
