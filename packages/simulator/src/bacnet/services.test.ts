import { expect, test } from 'vitest'
import { createObject } from './objects.ts'
import { answer } from './services.ts'

const DEVICE = {
  instance: 7,
  name: 'Room',
  objects: [
    createObject({ id: 'analog-value,1', name: 'Setpoint', unit: '°C', bounds: { min: 18, max: 25 }, start: 20 }),
  ],
}
const ask = (hex: string) => answer(DEVICE, Buffer.from(hex, 'hex'))?.toString('hex')

// Bytes by clause 20 of ASHRAE 135, not by our driver.
const READ_VALUE = '0005010c0c008000011955'
const WRITE_21 = '0005020f0c0080000119553e4441a800003f490a'
const RELEASE = '0005030f0c0080000119553e003f490a'

test('a setpoint has the object until its priority is given back', () => {
  expect(ask(READ_VALUE)).toBe('30010c0c0080000119553e4441a000003f')
  expect(ask(WRITE_21)).toBe('20020f')
  expect(ask(READ_VALUE)).toBe('30010c0c0080000119553e4441a800003f')
  expect(ask(RELEASE)).toBe('20030f')
  expect(ask(READ_VALUE)).toBe('30010c0c0080000119553e4441a000003f')
})

test('what it does not have is an error, and what it does not know is rejected', () => {
  expect(ask('0005010c0c008000021955')).toBe('50010c9101911f')
  expect(ask('0005010c0c008000011963')).toBe('50010c91029120')
  expect(ask('000501050c00800001')).toBe('600109')
})

test('no damaged request ends it', () => {
  for (const request of [READ_VALUE, WRITE_21, RELEASE, '0005040e0c008000011e095509751f']) {
    const bytes = Buffer.from(request, 'hex')
    for (let at = 4; at < bytes.length; at += 1) {
      for (let byte = 0; byte < 256; byte += 1) {
        const damaged = Buffer.from(bytes)
        damaged[at] = byte
        expect(answer(DEVICE, damaged)?.length).toBeGreaterThan(2)
      }
      expect(answer(DEVICE, bytes.subarray(0, at))?.length).toBeGreaterThan(2)
    }
  }
})
