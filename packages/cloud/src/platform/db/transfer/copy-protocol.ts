import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Client, Submittable } from 'pg'

/** The hooks that `pg` calls for COPY, which its types leave out. */
interface CopyConnection {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

interface Outcome {
  resolve(rows: number): void
  reject(error: unknown): void
}

/** A statement whose rows are not results: `hooks` handle what COPY sends or wants. */
function copyQuery(text: string, outcome: Outcome, hooks: object): Submittable {
  let rows = 0
  const query = {
    submit: (connection: CopyConnection) => connection.query(text),
    handleCommandComplete: (message: { text: string }) => {
      rows = Number(/^COPY (\d+)/.exec(message.text)?.[1] ?? 0)
    },
    handleReadyForQuery: () => outcome.resolve(rows),
    handleError: (error: unknown) => outcome.reject(error),
    handleRowDescription() {},
    handleDataRow() {},
    handlePortalSuspended() {},
    handleEmptyQuery() {},
    handleCopyData() {},
    handleCopyInResponse: (connection: CopyConnection) => connection.sendCopyFail('unexpected'),
    ...hooks,
  }
  return query as unknown as Submittable
}

interface OutState {
  /** Complete parts that the reader has not taken. */
  parts: Buffer[]
  current: Buffer
  used: number
  stream: Duplex | undefined
  wake(): void
}

/**
 * Runs a `COPY … TO STDOUT` and yields its output in parts of about `partBytes`; returns the number of rows. The server
 * waits while the reader is busy, so that two parts at most are in memory.
 */
export async function* copyOut(client: Client, text: string, partBytes: number): AsyncGenerator<Buffer, number> {
  const state: OutState = { parts: [], current: EMPTY, used: 0, stream: undefined, wake: () => {} }
  const done = new Promise<number>((resolve, reject) => {
    const hooks = {
      handleCopyData: ({ chunk }: { chunk: Buffer }, { stream }: CopyConnection) => {
        state.stream = stream
        keep(state, chunk, partBytes)
      },
    }
    client.query(copyQuery(text, { resolve, reject }, hooks))
  })
  let ended = false
  const end = () => {
    ended = true
    state.wake()
  }
  done.then(end, end)
  for (;;) {
    const part = state.parts.shift()
    if (part) yield part
    else if (ended) break
    else {
      state.stream?.resume()
      await new Promise<void>((resolve) => {
        state.wake = resolve
        if (ended || state.parts.length > 0) resolve()
      })
    }
  }
  const rows = await done
  if (state.used > 0) yield state.current.subarray(0, state.used)
  return rows
}

const EMPTY = Buffer.alloc(0)

/** Copies a chunk, because `pg` reuses its buffer. */
function keep(state: OutState, chunk: Buffer, partBytes: number): void {
  if (state.used + chunk.length > state.current.length) {
    if (state.used > 0) {
      state.parts.push(state.current.subarray(0, state.used))
      state.stream?.pause()
      state.wake()
    }
    state.current = Buffer.allocUnsafeSlow(Math.max(partBytes, chunk.length))
    state.used = 0
  }
  state.used += chunk.copy(state.current, state.used)
}

/** Runs a `COPY … FROM STDIN` with the bytes of `source`; resolves with the number of rows. */
export function copyIn(client: Client, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const state = { failed: false }
    const outcome: Outcome = {
      resolve,
      reject(error) {
        state.failed = true
        reject(error)
      },
    }
    const hooks = {
      handleCopyInResponse: (connection: CopyConnection) => void send(connection, source, state, outcome),
    }
    client.query(copyQuery(text, outcome, hooks))
  })
}

async function send(
  connection: CopyConnection,
  source: AsyncIterable<Uint8Array>,
  state: { failed: boolean },
  outcome: Outcome,
): Promise<void> {
  try {
    for await (const chunk of source) {
      // The server ignores everything after its error.
      if (state.failed) return
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  } catch (error) {
    outcome.reject(error)
    connection.sendCopyFail('the source failed')
  }
}
