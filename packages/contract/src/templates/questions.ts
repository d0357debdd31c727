import { PROTOCOL_LABELS, type Protocol } from '../protocols.ts'
import { keysIn } from './placeholders.ts'
import type { Template, TemplateQuestion } from './template.ts'

/** Questions that templates need not declare: a placeholder with such a key asks them. */
export const STANDARD_QUESTIONS: readonly TemplateQuestion[] = [
  { key: 'host', question: 'IP address or name of the equipment', type: 'text', example: '192.0.2.10' },
  { key: 'port', question: 'TCP port', type: 'integer', min: 1, max: 65_535, default: 502 },
  { key: 'unitId', question: 'Modbus unit id', type: 'integer', min: 0, max: 255, default: 1 },
  { key: 'path', question: 'Serial port of the controller', type: 'text', example: '/dev/ttyUSB0' },
  {
    key: 'baudRate',
    question: 'Baud rate of the line',
    type: 'choice',
    choices: [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200],
    default: 9600,
  },
  { key: 'parity', question: 'Parity of the line', type: 'choice', choices: ['none', 'even', 'odd'], default: 'none' },
  { key: 'stopBits', question: 'Stop bits of the line', type: 'choice', choices: [1, 2], default: 1 },
  { key: 'brokerUrl', question: 'Address of the MQTT broker', type: 'text', example: 'mqtt://192.0.2.10:1883' },
  { key: 'username', question: 'User name at the equipment or broker', type: 'text', optional: true },
  { key: 'password', question: 'Password at the equipment or broker', type: 'secret', optional: true },
  { key: 'deviceInstance', question: 'BACnet device instance', type: 'integer', min: 0, max: 4_194_302, example: 1234 },
  { key: 'priority', question: 'BACnet priority of our commands', type: 'integer', min: 3, max: 16, default: 10 },
]

/** The answers that every template takes. */
const NAME = 'name'
const PROTOCOL = 'protocol'
export const RESERVED_KEYS: readonly string[] = [NAME, PROTOCOL]

/** Returns the question that a key asks in a template. */
export function questionOf({ questions = [] }: Template, key: string): TemplateQuestion | undefined {
  return questions.find((own) => own.key === key) ?? STANDARD_QUESTIONS.find((standard) => standard.key === key)
}

/** Returns what to ask before a template can be filled in: the name, the way to reach the equipment, then what that needs. */
export function questionsOf(template: Template, protocol?: string): TemplateQuestion[] {
  const { title, protocols, datapoints } = template
  const chosen = protocols.find((way) => way.protocol === protocol) ?? protocols[0]
  const keys = new Set(keysIn([chosen?.settings, datapoints]))
  const name: TemplateQuestion = {
    key: NAME,
    question: 'What it is called in the building',
    type: 'text',
    default: title,
  }
  const names = protocols.map((way) => way.protocol)
  const way: TemplateQuestion = {
    key: PROTOCOL,
    question: `How it is reached: ${names.map((one) => PROTOCOL_LABELS[one]).join(', ')}`,
    type: 'choice',
    choices: names,
    default: names[0] ?? '',
  }
  return [name, ...(names.length > 1 ? [way] : []), ...[...keys].flatMap((key) => questionOf(template, key) ?? [])]
}

/** Returns the protocol that an answer chooses, or the usual one. */
export function protocolOf({ protocols }: Template, answer: unknown): Protocol | undefined {
  return (answer === undefined ? protocols[0] : protocols.find(({ protocol }) => protocol === answer))?.protocol
}
