import { createServer } from 'node:net'
import { FrameReader, frame } from './frames.ts'

/** The second process of floor 2: answers every frame with the same bytes. Argument: the reply. */
const reply = Buffer.from(process.argv[2] ?? '')
const server = createServer((socket) => {
  socket.setNoDelay(true)
  const reader = new FrameReader((id, payload) => {
    JSON.parse(payload.toString())
    socket.write(frame(id, reply))
  })
  socket.on('data', (chunk) => reader.push(chunk))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ ready: { port: typeof address === 'object' ? address?.port : undefined } })
})
process.once('disconnect', () => process.exit(0))
process.once('SIGINT', () => process.exit(0))
