import { readTemplate, templateNames } from '@plantroom/base/template-folder'
import { type Template, templateProblems } from '@plantroom/contract/templates'
import { describe, expect, test } from 'vitest'
import { templateAddressProblems } from './template-problems.ts'

const names = await templateNames()

test.each(names)('the template %s is valid, and the drivers accept its addresses', async (name) => {
  const content = await readTemplate(name)
  expect(templateProblems(content)).toEqual([])
  expect(templateAddressProblems(content as Template)).toEqual([])
  expect((content as Template).name).toBe(name)
})

test('no two templates have the same title', async () => {
  const titles = await Promise.all(names.map(async (name) => ((await readTemplate(name)) as Template).title))
  expect(new Set(titles).size).toBe(titles.length)
})

describe('the addresses of a template', () => {
  const POWER = {
    name: 'Power',
    accessType: 'READ',
    range: { min: -10, max: 10 },
    data: { register: 10, type: 'int16' },
  } as const
  const problemsOf = (...datapoints: Template['datapoints']) =>
    templateAddressProblems({
      name: 'meter',
      title: 'Meter',
      maker: 'generic',
      model: 'Any',
      family: 'meter',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a template
      protocols: [{ protocol: 'modbus-tcp', settings: { host: '${host}' } }],
      datapoints,
      tried: 'simulated map',
      sources: [],
    })

  test.each<[string, Template['datapoints'][number][], { path: string; message: RegExp }]>([
    [
      'values below 0 in an unsigned register',
      [{ ...POWER, data: { register: 10, type: 'uint16' } }],
      { path: 'datapoints[0].range.min', message: /-10 .*fit uint16.*-1 would read as a large number. Use int16/ },
    ],
    [
      'values above the register',
      [{ ...POWER, scale: 0.0001 }],
      {
        path: 'datapoints[0].range.min',
        message: /-10 is -100000 in the register.*correct the range, the scale or the type/,
      },
    ],
    [
      'an envelope that the register cannot hold',
      [{ ...POWER, accessType: 'READ_WRITE', writeInputData: { min: 0, max: 40_000 } }],
      { path: 'datapoints[0].writeInputData.max', message: /40000 does not fit int16/ },
    ],
    [
      'registers that overlap',
      [
        { ...POWER, data: { register: 9, type: 'float32' } },
        { ...POWER, name: 'Energy' },
      ],
      { path: 'datapoints[1].data.register', message: /Energy and Power overlap at holding register 10/ },
    ],
    [
      'an unknown type',
      [{ ...POWER, data: { register: 1, type: 'int24' } }],
      { path: 'datapoints[0].data.type', message: /int24 must be/ },
    ],
    [
      'an unknown key',
      [{ ...POWER, data: { ...POWER.data, reg: 1 } }],
      { path: 'datapoints[0].data.reg', message: /not a known field/ },
    ],
  ])('may not be %s', (_what, datapoints, { path, message }) => {
    const [first, ...more] = problemsOf(...datapoints)
    expect([first?.path, more.length <= 1]).toEqual([path, true])
    expect(first?.message).toMatch(message)
  })

  test('are all compared with each other', () => {
    const at = (name: string, register: number, type: string) => ({ ...POWER, name, data: { register, type } })
    const found = problemsOf(at('Energy', 0, 'int64'), at('Voltage', 1, 'int16'), at('Current', 3, 'int16'))
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      ['datapoints[1].data.register', expect.stringContaining('Voltage and Energy overlap at holding register 1')],
      ['datapoints[2].data.register', expect.stringContaining('Current and Energy overlap at holding register 3')],
    ])
  })

  test('may be two bits of one register', () => {
    const bit = (name: string, at: number) => ({ ...POWER, name, data: { register: 1, type: 'uint16', bit: at } })
    expect(problemsOf(bit('On', 0), bit('Fault', 1))).toEqual([])
    expect(problemsOf(bit('On', 0), bit('Off', 0))).toHaveLength(1)
    expect(problemsOf(bit('On', 0), bit('Fault', 1), bit('Off', 0))).toEqual([
      { path: 'datapoints[2].data.register', message: expect.stringContaining('Off and On overlap') },
    ])
  })
})
