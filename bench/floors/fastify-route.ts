import { announce, serveRoute } from './served-route.ts'

/** Floor 1: the bare route with schema and key check. Arguments: the key, the reply. */
const [apiKey = '', reply = ''] = process.argv.slice(2)
const bytes = Buffer.from(reply)
await announce(serveRoute(apiKey, async () => bytes))
