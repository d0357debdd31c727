import type { VtnAnswer } from './vtn-failure.ts'
import { parseIfJson } from './vtn-json.ts'

const SHOWN = '[secret]'
/** A shorter one may be an ordinary word: only texts about failures are searched for it, and only as a whole word. */
const SHORTEST_SURE = 8

/** Replaces secrets in answers, whose texts are kept and shown: some VTNs echo what we send. */
export interface SecretFilter {
  /** In a success, only secrets that no name or id has by chance. */
  success(answer: VtnAnswer): VtnAnswer
  failure(answer: VtnAnswer): VtnAnswer
}

/** `ours` is what a VTN may repeat in a success, but not in a failure: for example the address that it calls. */
export function hideSecrets(secrets: readonly string[], ours: readonly string[] = []): SecretFilter {
  const [sure, all] = [secrets.filter(({ length }) => length >= SHORTEST_SURE), [...secrets, ...ours]]
  return { success: filterOf(sure), failure: filterOf(all.filter(({ length }) => length > 0)) }
}

function filterOf(secrets: readonly string[]): (answer: VtnAnswer) => VtnAnswer {
  const forms = secrets.flatMap(formsOf)
  const written = forms.flatMap(inJson)
  const hide = (text: string) => forms.reduce(hideForm, text)
  return (answer) => {
    const isIn = (text: string) => written.some((form) => text.includes(form))
    const headers = Object.entries(answer.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? hide(value) : value?.map(hide),
    ])
    const body = isIn(answer.body) ? hideInBody(answer.body, hide) : answer.body
    return { ...answer, headers: Object.fromEntries(headers), body }
  }
}

/** As it is sent: in a header, in an address, and in a form. The longest first, which may contain another one. */
function formsOf(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1)
  const forms = new Set([secret, encodeURIComponent(secret.toWellFormed()), form])
  return [...forms].sort((a, b) => b.length - a.length)
}

/** As different programs write it in JSON. */
function inJson(text: string): string[] {
  const written = JSON.stringify(text).slice(1, -1)
  const ascii = written.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [...new Set([text, written, ascii, written.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/')])]
}

function hideForm(text: string, form: string): string {
  if (form.length >= SHORTEST_SURE) return text.replaceAll(form, SHOWN)
  const parts = text.split(form)
  const isPart = (neighbour: string | undefined) => neighbour !== undefined && /\w/.test(neighbour)
  return parts.reduce((left, part, index) => {
    const isWord = !isPart(parts[index - 1]?.at(-1)) && !isPart(part[0])
    return `${left}${isWord ? SHOWN : form}${part}`
  })
}

/** In the texts of JSON: digits of a number may look like a secret. */
function hideInBody(body: string, hide: (text: string) => string): string {
  const parsed = parseIfJson(body)
  if (parsed === undefined) return hide(body)
  try {
    return JSON.stringify(parsed, (_name, value: unknown) => (typeof value === 'string' ? hide(value) : value))
  } catch (error) {
    // It takes less to parse what is deep than to write it.
    if (error instanceof RangeError) return hide(body)
    throw error
  }
}
