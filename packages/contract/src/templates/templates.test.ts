// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of templates look like those of JavaScript
import { describe, expect, test } from 'vitest'
import { allFileProblems } from '../commissioning/index.ts'
import { fillTemplate, questionsOf, sampleAnswers, type Template, templateProblems } from './index.ts'

const TEMPLATE: Template = {
  name: 'charger',
  title: 'Charger',
  maker: 'generic',
  model: 'Any',
  family: 'charger',
  protocols: [
    { protocol: 'modbus-tcp', settings: { host: '${host}', port: '${port}', unitId: '${unitId}' } },
    { protocol: 'mqtt', settings: { url: '${brokerUrl}', username: '${username}', password: '${password}' } },
  ],
  questions: [
    { key: 'ratedPowerKw', question: 'Rated power in kW', type: 'number', min: 1, max: 400, example: 22 },
    { key: 'topic', question: 'Topic', type: 'id', default: 'charger/1' },
  ],
  datapoints: [
    {
      name: 'Power limit',
      accessType: 'READ_WRITE',
      unit: 'kW',
      scale: '0.0001 * ${ratedPowerKw}',
      writeInputData: { min: 0, max: '${ratedPowerKw}' },
      limits: { min: '-0.5 * ${ratedPowerKw}', max: '${ratedPowerKw}' },
      release: 'The limit from before is written back',
      data: { register: 1, type: 'int16' },
    },
    {
      name: 'Temperature',
      accessType: 'READ',
      unit: '°C',
      scale: 0.1,
      offset: -40,
      data: { stateTopic: '${topic}/t' },
    },
  ],
  tried: 'simulated map',
  sources: [{ title: 'Manual', url: 'https://example.com/manual' }],
}

const fill = (answers: Record<string, unknown>) => fillTemplate(TEMPLATE, answers)
const problemsWith = (change: object) => templateProblems({ ...TEMPLATE, ...change })
const datapoint = (change: object) => ({
  datapoints: [{ ...TEMPLATE.datapoints[0], ...change }, TEMPLATE.datapoints[1]],
})

describe('a template', () => {
  test('becomes a commissioning file that passes the checks, with answers in place', () => {
    const { file } = fill({ host: '192.0.2.7', unitId: '3', ratedPowerKw: '22', name: 'Garage' })
    expect(allFileProblems(file)).toEqual([])
    expect(file).toMatchObject({ technicalSystem: 'Garage', connections: [{ name: 'Garage', protocol: 'modbus-tcp' }] })
    const [connection] = file?.connections ?? []
    expect(connection?.settings).toEqual({ host: '192.0.2.7', port: 502, unitId: 3 })
    expect(connection?.datapoints).toEqual([
      {
        name: 'Power limit',
        accessType: 'READ_WRITE',
        unit: 'kW',
        writeInputData: { min: 0, max: 22 },
        limits: { min: -11, max: 22 },
        scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 22, outputValue2: 10000 },
        data: { register: 1, type: 'int16' },
      },
      {
        name: 'Temperature',
        accessType: 'READ',
        unit: '°C',
        scaler: { inputValue1: -40, outputValue1: 0, inputValue2: -39, outputValue2: 10 },
        data: { stateTopic: 'charger/1/t' },
      },
    ])
  })

  test('is reached the way that asks for all answers, when none was chosen', () => {
    const protocolWith = (answers: Record<string, unknown>) =>
      fill({ ratedPowerKw: 11, ...answers }).file?.connections[0]?.protocol
    expect(protocolWith({ brokerUrl: 'mqtt://192.0.2.9' })).toBe('mqtt')
    expect(protocolWith({ host: '192.0.2.7' })).toBe('modbus-tcp')
    const [onSocket, overMqtt] = TEMPLATE.protocols
    const serial = { protocol: 'modbus-rtu', settings: { path: '${path}' } } as const
    const gateway = { protocol: 'modbus-rtu-tcp', settings: { host: '${host}' } } as const
    const protocols = [serial, gateway, onSocket, overMqtt].filter((way) => way !== undefined)
    const { problems } = fillTemplate({ ...TEMPLATE, protocols }, { ratedPowerKw: 11, host: '192.0.2.7' })
    expect(problems).toEqual([{ path: 'protocol', message: 'is missing: modbus-rtu-tcp or modbus-tcp' }])
  })

  test('asks what the chosen protocol needs, and leaves optional fields without an answer out', () => {
    expect(questionsOf(TEMPLATE).map(({ key }) => key)).toEqual([
      'name',
      'protocol',
      'host',
      'port',
      'unitId',
      'ratedPowerKw',
      'topic',
    ])
    const { file } = fill({ protocol: 'mqtt', brokerUrl: 'mqtt://192.0.2.9', ratedPowerKw: 11, host: 'kept by a form' })
    expect(file?.connections[0]?.settings).toEqual({ url: 'mqtt://192.0.2.9' })
  })

  test('names all answers that are missing or wrong, with what to do', () => {
    expect(
      fill({ ratedPowerKw: '0,5', unitId: 300, topic: 'a/#', hots: '1', __proto__: { name: 'x' } }).problems,
    ).toEqual([
      {
        path: 'hots',
        message:
          'is not a question of this template; its questions: name, protocol, host, port, unitId, ratedPowerKw, topic',
      },
      { path: 'host', message: 'is missing: IP address or name of the equipment, for example 192.0.2.10' },
      { path: 'unitId', message: '"300" must be a whole number from 0 to 255' },
      { path: 'ratedPowerKw', message: '"0,5" must be a number with a point for decimals from 1 to 400' },
      { path: 'topic', message: '"a/#" must be letters, digits and . _ : / -' },
    ])
    expect(fill({ protocol: 'obix' }).problems?.[0]).toEqual({
      path: 'protocol',
      message: '"obix" must be one of: modbus-tcp, mqtt',
    })
    expect(fill({ host: 'a\nb', ratedPowerKw: 1 }).problems?.[0]?.message).toBe(
      'must be one line of 1 to 255 characters',
    )
  })

  test('puts an answer into the file once, whatever it contains', () => {
    const { file } = fill({ host: '${port}', name: '$& ${host}', ratedPowerKw: 1 })
    expect(file).toMatchObject({ technicalSystem: '$& ${host}', connections: [{ settings: { host: '${port}' } }] })
  })

  test('has samples for all its questions', () => {
    expect(sampleAnswers(TEMPLATE, 'mqtt')).toMatchObject({ protocol: 'mqtt', ratedPowerKw: 22, name: 'Charger' })
  })
})

describe('the check of a template', () => {
  test('accepts a good one', () => expect(templateProblems(TEMPLATE)).toEqual([]))

  test.each<[string, object, string, RegExp]>([
    ['an unknown field', { colour: 'red' }, 'colour', /unknown|not/],
    ['a unit in other letters', datapoint({ unit: 'kw' }), 'datapoints[0].unit', /^kw is not .*; write kW$/],
    ['an unknown unit', datapoint({ unit: 'furlong' }), 'datapoints[0].unit', /use one of: W, kW/],
    ['no envelope', datapoint({ writeInputData: undefined }), 'datapoints[0].writeInputData', /give the envelope/],
    ['no word on release', datapoint({ release: undefined }), 'datapoints[0].release', /what ends a setpoint/],
    ['a name twice', datapoint({ name: ' temperature ' }), 'datapoints[1]', /rename or remove/],
    [
      'a placeholder without question',
      datapoint({ releaseValue: '${zero}' }),
      'questions',
      /nothing asks for \$\{zero\}/,
    ],
    [
      'an unsigned scale factor',
      datapoint({ kind: 'scale-factor', data: { type: 'uint16' } }),
      'datapoints[0].data.type',
      /-1 would read as 65535; use int16/,
    ],
    ['a text that is multiplied', datapoint({ releaseValue: '2 * ${host}' }), 'questions', /must be number or integer/],
    ['arithmetic', datapoint({ releaseValue: '${port} + 1' }), 'datapoints[0].releaseValue', /./],
    ['a scale of 0', datapoint({ scale: 0 }), 'datapoints[0].scaler', /two different/],
    [
      'a register that is missing',
      datapoint({ failsafe: { heartbeat: 'Beat', seconds: 60 } }),
      'datapoints[0].failsafe.heartbeat',
      /no datapoint "Beat"/,
    ],
    [
      'an unused question',
      { questions: [...(TEMPLATE.questions ?? []), { key: 'spare', question: 'Spare', type: 'text', default: 'x' }] },
      'questions[2]',
      /remove the question/,
    ],
    [
      'a default that its own rule refuses',
      { questions: [{ ...TEMPLATE.questions?.[0], default: 1000 }, TEMPLATE.questions?.[1]] },
      'questions[0]',
      /^default "1000" must be/,
    ],
    ['no source', { sources: [] }, 'sources', /at least 1/],
  ])('names %s', (_what, change, path, message) => {
    const problems = problemsWith(change)
    expect(problems.map((problem) => problem.path)).toContain(path)
    expect(problems.find((problem) => problem.path === path)?.message).toMatch(message)
  })

  test('takes a hostile file in bounded time, with a bounded list', () => {
    const many = Array.from({ length: 500 }, () => ({
      ...TEMPLATE.datapoints[0],
      unit: `${'$'.repeat(30)}{`,
      name: 'same',
    }))
    expect(problemsWith({ datapoints: many })).toHaveLength(200)
    expect(problemsWith({ about: '${'.repeat(100_000) })).toHaveLength(1)
    for (const junk of [null, 3, [], 'x', {}]) expect(templateProblems(junk).length).toBeGreaterThan(0)
  })
})
