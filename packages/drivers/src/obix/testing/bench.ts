import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { expect } from 'vitest'
import type { Driver, Protocol } from '../../driver.ts'
import { createObixProtocol } from '../driver.ts'
import { connectionOf, never, type Points } from './connection.ts'
import { type ObixServer, type ServedPoint, startObixServer, type Trick } from './server.ts'

export { connectionOf, never, type Points }

/** Returns the points of an air handling unit; new for each test, because writes change them. */
export const airHandlingUnit = (): Record<string, ServedPoint> => ({
  supply: { tag: 'real', val: '21.5', attributes: 'unit="obix:units/celsius"', writable: true },
  stage: { tag: 'int', val: '3', writable: true },
  fan: { tag: 'bool', val: 'true', writable: true },
  outside: { tag: 'real', val: '-4.25' },
})

/** The driver on a clock that the test moves, and a small server that it talks to. */
export interface Bench {
  server: ObixServer
  clock: ManualClock
  protocol: Protocol
  /** Creates a driver, by default for all points of the server. */
  connect(points?: Points, settings?: Record<string, unknown>): Driver
  open(points?: Points, settings?: Record<string, unknown>): Promise<Driver>
  /** The server as it appears in messages. */
  host: string
  /** Returns the requests so far, for example `GET /obix/`. */
  asked(): string[]
  /** Resolves when the server receives this request. From now on, only `trick` answers. */
  whenAsked(question: string, trick?: Trick): Promise<void>
  /** Returns the value of a point. */
  held(name: string): string | undefined
  stop(): Promise<void>
}

export async function startBench(served: Record<string, ServedPoint> = {}): Promise<Bench> {
  const clock = createManualClock()
  const protocol = createObixProtocol({ clock })
  const server = await startObixServer(served)
  const made: Driver[] = []

  const bench: Bench = {
    server,
    clock,
    protocol,
    connect(points = hrefsOf(served), settings = {}) {
      const driver = protocol.connect(connectionOf(points, { url: server.url, ...settings }))
      made.push(driver)
      return driver
    },
    async open(points, settings) {
      const driver = bench.connect(points, settings)
      await driver.open(never)
      return driver
    },
    host: `127.0.0.1:${server.port}`,
    asked: () => server.requests.map(({ method, path }) => `${method} ${path}`),
    whenAsked: (question, trick) =>
      new Promise((resolve) => {
        server.play((request, response, obey) => {
          if (`${request.method} ${request.path}` === question) resolve()
          trick?.(request, response, obey)
        })
      }),
    held: (name) => server.points.get(name)?.val,
    async stop() {
      for (const driver of made) await driver.close()
      await server.stop()
    },
  }
  return bench
}

export const failure = (kind: string, message: string | RegExp) =>
  expect.objectContaining({ kind, message: typeof message === 'string' ? message : expect.stringMatching(message) })

/** Returns a datapoint for each point of the server, with a relative href. */
function hrefsOf(served: Record<string, ServedPoint>): Points {
  return Object.fromEntries(Object.keys(served).map((name) => [name, { href: `points/${name}/` }]))
}
