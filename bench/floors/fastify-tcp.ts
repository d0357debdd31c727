import { connect } from 'node:net'
import { FrameReader, frame } from './frames.ts'
import { announce, serveRoute } from './served-route.ts'

/** Floor 2: the bare route, and raw TCP frames to a second process. Arguments: the key, the peer's port. */
const [apiKey = '', port] = process.argv.slice(2)
const waiting = new Map<number, (reply: Buffer) => void>()
const socket = connect(Number(port), '127.0.0.1')
socket.setNoDelay(true)
const reader = new FrameReader((id, payload) => {
  waiting.get(id)?.(payload)
  waiting.delete(id)
})
socket.on('data', (chunk) => reader.push(chunk))

let sent = 0
const app = serveRoute(apiKey, (body) => {
  sent += 1
  const id = sent
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    socket.write(frame(id, Buffer.from(JSON.stringify(body))))
  })
})
await announce(app)
