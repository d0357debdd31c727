import { systemClock } from '@plantroom/base/clock'
import type { CommandRequest } from '@plantroom/contract/commands'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { createProtocols } from '@plantroom/drivers/protocols'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createReadEquipment } from './read-once.ts'

type Address = CommandRequest<'readEquipment'>

const LEFT_MS = 10_000

/** A unit that holds its own register numbers, and answers nothing else than reads. */
async function equipment() {
  const peer = await startScriptedPeer()
  onTestFinished(() => peer.stop())
  const read = createReadEquipment({ protocols: createProtocols(systemClock), clock: systemClock })
  const settings = { host: '127.0.0.1', port: peer.port, timeoutMs: 9_000 }
  const at = (about: Partial<Address> = {}): Address => ({
    ...{ protocol: 'modbus-tcp', settings, data: { register: 215, type: 'int16' } },
    ...about,
  })
  return { peer, settings, at, read: (about?: Partial<Address>) => read(at(about), LEFT_MS) }
}

describe('a reading of an address that is not commissioned', () => {
  test('is raw and in engineering units', async () => {
    const { peer, read } = await equipment()
    const functions: number[] = []
    peer.serve((request) => {
      functions.push(request.functionCode)
      request.answerRegisters(request.address)
    })
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
    expect(await read({ scaler })).toEqual({ raw: 215, value: 21.5, note: null, error: null })
    expect(functions).toEqual([3])
  })

  test('says what the equipment answered instead of a number, or why it did not answer', async () => {
    const { peer, read, settings } = await equipment()
    peer.serve((request) => request.answerRegisters(0x7fc0, 0))
    const nothing = { raw: null, value: null }
    const notANumber = await read({ data: { register: 1, type: 'float32' } })
    expect(notANumber).toEqual({ ...nothing, note: expect.stringContaining('NaN'), error: null })
    peer.serve((request) => request.answer([0x83, 2]))
    expect(await read()).toMatchObject({ ...nothing, error: 'exception 2: illegal data address' })
    peer.serve(() => {})
    const silent = await read({ settings: { ...settings, timeoutMs: 300 } })
    expect(silent).toMatchObject({ ...nothing, error: expect.stringContaining('did not answer within 300 ms') })
    await peer.stop()
    expect(await read()).toMatchObject({ ...nothing, error: `127.0.0.1:${settings.port} refused the connection` })
  })

  test('is rejected with the field that is wrong, and nothing is sent', async () => {
    const { peer, read } = await equipment()
    await expect(read({ data: { register: -1, type: 'int16' } })).rejects.toMatchObject({
      kind: 'rejected',
      message: 'data.register: -1 must be a whole number from 0 to 65535',
    })
    await expect(read({ settings: {} })).rejects.toThrow('settings.host: is missing')
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 0, outputValue2: 0 }
    await expect(read({ scaler })).rejects.toThrow('scaler: needs two different inputs and two different outputs')
    expect(peer.accepted()).toBe(0)
  })

  test('is rejected while many others are not answered', async () => {
    const { peer, read } = await equipment()
    peer.serve(() => {})
    const waiting = Array.from({ length: 8 }, () => read())
    await expect(read()).rejects.toThrow('reading 8 other addresses')
    await peer.stop()
    await Promise.all(waiting)
    expect(await read()).toMatchObject({ error: expect.stringContaining('refused the connection') })
  })
})
