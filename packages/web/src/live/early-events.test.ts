import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followEarly, takeEarly } from './early-events.ts'

/** A connection that the test speaks for. */
class Connection {
  static last: Connection | undefined
  isOpen = true
  readonly listeners = new Map<string, (event: { data: string }) => void>()

  constructor() {
    Connection.last = this
  }
  addEventListener(name: string, listener: (event: { data: string }) => void): void {
    this.listeners.set(name, listener)
  }
  close(): void {
    this.isOpen = false
  }
  say(name: string, data: unknown): void {
    this.listeners.get(name)?.({ data: JSON.stringify(data) })
  }
}
const connection = () => Connection.last as Connection

beforeEach(() => {
  vi.stubGlobal('EventSource', Connection)
  followEarly('/live')
})
afterEach(() => void vi.unstubAllGlobals())

const namesOf = (path: string) => takeEarly(path).map(({ name }) => name)

test('a controller is followed until it has answered, and its answer is given away once', () => {
  connection().say('state', { at: 'now' })
  expect(connection().isOpen).toBe(false)
  expect(takeEarly('/live')).toMatchObject([{ name: 'state', data: { at: 'now' } }])
  expect(takeEarly('/live')).toEqual([])
})

test('the last known state is kept with the reason why there is no other', () => {
  connection().say('last-known', {})
  expect(connection().isOpen).toBe(true)
  connection().say('offline', {})
  expect(namesOf('/live')).toEqual(['last-known', 'offline'])
})

test('a controller that has not answered yet is left to the page', () => {
  expect(namesOf('/live')).toEqual([])
  expect(connection().isOpen).toBe(false)
})
