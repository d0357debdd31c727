import { describe, expect, test } from 'vitest'
import { CommissioningFileError, fileErrorsIn, fileNameOf, readCommissioningFile } from './commissioning-file.ts'

const read = (text: string) => readCommissioningFile(new Blob([text]))

describe('a commissioning file', () => {
  test('is JSON or YAML', async () => {
    const file = { technicalSystem: 'A', connections: [{ name: 'C', datapoints: [{ name: 'D' }] }] }
    expect(await read(JSON.stringify(file))).toEqual(file)
    expect(await read('technicalSystem: A\nconnections:\n  - name: C\n    datapoints: [{ name: D }]\n')).toEqual(file)
  })

  test.each([
    ['', 'must be an object'],
    ['[1]', 'must be an object'],
    ['{"connections":[]}', 'technicalSystem is missing'],
    ['technicalSystem: A', 'connections is missing'],
    ['{"technicalSystem":"A","connections":[{"name":"C"}]}', 'connections[0] needs a name'],
    ['{"technicalSystem":"A","connections":[{"name":"C","datapoints":[7]}]}', 'connections[0] needs a name'],
    ['{"technicalSystem":"A","connections":[],"peakShaving":{"meter":"M"}}', 'peakShaving needs'],
    ['{"technicalSystem":"A","connections":[],"schedules":[{"name":"S"}]}', 'Each entry of schedules'],
    ['a: [1', 'neither JSON nor YAML'],
    ['a: &a [x]\nb: [*a,*b]', 'neither JSON nor YAML'],
  ])('%j is rejected with a reason', async (text, message) => {
    const error = await read(text).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CommissioningFileError)
    expect((error as Error).message).toContain(message)
  })

  test('is not read when it is too large', async () => {
    await expect(readCommissioningFile(new Blob(['x'.repeat(3 * 1024 * 1024 + 1)]))).rejects.toThrow('3 MB')
  })

  test('is rejected when it is made of aliases', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (let depth = 0; depth < 8; depth += 1) {
      const [here, before] = [`b${depth}`, depth === 0 ? 'a' : `b${depth - 1}`]
      bomb.push(`${here}: &${here} [${Array(10).fill(`*${before}`).join(',')}]`)
    }
    await expect(read(bomb.join('\n'))).rejects.toBeInstanceOf(CommissioningFileError)
  })
})

test('splits a message with several errors', () => {
  expect(
    fileErrorsIn(
      'connections[0].datapoints[2].scaler: needs two different inputs; or none; peakShaving.meter: "X" is no datapoint; connections[1].settings.host: must be text',
    ),
  ).toEqual([
    { path: 'connections[0].datapoints[2].scaler', message: 'needs two different inputs; or none' },
    { path: 'peakShaving.meter', message: '"X" is no datapoint' },
    { path: 'connections[1].settings.host', message: 'must be text' },
  ])
})

test('accepts a path without a colon', () => {
  expect(fileErrorsIn('connections[0].protocol must be one of: modbus-tcp, mqtt')).toEqual([
    { path: 'connections[0].protocol', message: 'must be one of: modbus-tcp, mqtt' },
  ])
})

test('keeps a sentence whole', () => {
  const message = 'Charge power would no longer be there to be written, but is held; cancel its overrides first'
  expect(fileErrorsIn(message)).toEqual([{ path: '', message }])
})

test('names a file after its system', () => {
  expect(['Battery room', 'Õhk/ÕHK 2', '机房'].map(fileNameOf)).toEqual([
    'battery-room.json',
    'ohk-ohk-2.json',
    'technical-system.json',
  ])
})
