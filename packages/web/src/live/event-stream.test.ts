import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepStream, type StreamSource, type StreamState } from './event-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A stream whose connections the test speaks for. */
function follow(onEvent: (name: string, data: unknown) => unknown = () => undefined) {
  const connections: { isOpen: boolean; say(name: string, data?: unknown): void }[] = []
  const states: StreamState[] = []
  const connect = (): StreamSource => {
    const listeners = new Map<string, (event: MessageEvent<string>) => void>()
    const connection = {
      isOpen: true,
      say: (name: string, data: unknown = {}) =>
        listeners.get(name)?.({ data: JSON.stringify(data) } as MessageEvent<string>),
    }
    connections.push(connection)
    return {
      addEventListener: (name, listener) => void listeners.set(name, listener),
      close() {
        connection.isOpen = false
      },
    }
  }
  const stream = keepStream(connect, ['state'], onEvent, (state) => states.at(-1) !== state && states.push(state))
  stream.open()
  return { stream, states, connections, last: () => connections.at(-1) }
}

describe('a stream of events', () => {
  test('is lost after 5 s of silence, and open again with the next event', () => {
    const { states, last } = follow()
    last()?.say('state')
    vi.advanceTimersByTime(4999)
    expect(states).toEqual(['opening', 'open'])
    vi.advanceTimersByTime(1)
    expect(states).toEqual(['opening', 'open', 'lost'])
    last()?.say('state')
    expect(states.at(-1)).toBe('open')
  })

  test('stays open while the service only says that it is alive', () => {
    const heard: string[] = []
    const { states, last } = follow((name) => heard.push(name))
    last()?.say('state')
    for (let beats = 0; beats < 20; beats += 1) {
      vi.advanceTimersByTime(3000)
      last()?.say('alive')
    }
    expect(states).toEqual(['opening', 'open'])
    expect(heard).toEqual(['state'])
  })

  test('is lost when nothing arrives at all, and stays so while it reconnects', () => {
    const { states, connections } = follow()
    vi.advanceTimersByTime(60_000)
    expect(states).toEqual(['opening', 'lost'])
    expect(connections.length).toBeGreaterThan(3)
    expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(1)
  })

  test('reconnects after an error, and ignores what the connection before still says', () => {
    const { states, connections, last } = follow()
    last()?.say('error')
    expect(states).toEqual(['opening', 'lost'])
    vi.advanceTimersByTime(1000)
    expect(connections).toHaveLength(2)
    connections[0]?.say('state')
    expect(states.at(-1)).toBe('lost')
    last()?.say('state')
    expect(states.at(-1)).toBe('open')
  })

  test('ends for good when the listener says so', () => {
    const { stream, states, connections, last } = follow(() => 'end')
    last()?.say('state')
    stream.open()
    vi.advanceTimersByTime(60_000)
    expect(states).toEqual(['opening', 'open', 'ended'])
    expect(connections).toMatchObject([{ isOpen: false }])
  })

  test('leaves no timer behind when it is closed', () => {
    const { stream } = follow()
    stream.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
