import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** A text that may be expensive for an expression: `before`, then `repeated` as often as fits, then `after`. */
export interface HostileText {
  readonly before: string
  readonly repeated: string
  readonly after: string
}

/** Characters of every kind that expressions tell apart, the most different ones first. */
const ALPHABET = [...'a -.0\n@/A_\t,:;=\\"\'<>()[]{}|&#?!*+%$^~`zZ9fxXTé\u00a0\u0301\u0000😀']
/** What an expression fails at, or not. */
const ENDS = ['', '\n', '\u0000', '!', ' a', '.\n']
/** More of the same kind find nothing new. */
const MOST_REPEATED = 60
const MOST_BEFORE = 8
/** A bounded repetition above this is tried like one without a bound. */
const MANY = 20

/**
 * Derives texts from an expression: what leads to each repetition in it, then its own characters, parts of it and
 * neighbouring parts, over and over, then something that it fails at.
 */
export function hostileTexts(source: string, flags: string): HostileText[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const found: Found = { before: new Set(['', 'a']), repeated: new Set() }
  visit(pattern, '', flags, found)
  const befores = [...found.before].slice(0, MOST_BEFORE)
  const repeats = [...found.repeated].filter((text) => text !== '').slice(0, MOST_REPEATED)
  return befores.flatMap((before) => repeats.flatMap((repeated) => ENDS.map((after) => ({ before, repeated, after }))))
}

interface Found {
  readonly before: Set<string>
  readonly repeated: Set<string>
}

type Node = AST.Pattern | AST.Element

/** Walks through an expression. `before`: a text that leads to this node. */
function visit(node: Node, before: string, flags: string, found: Found): void {
  if (node.type === 'Quantifier') {
    if (node.max > MANY) {
      found.before.add(before)
      found.repeated.add(before)
      found.repeated.add(before + exampleOf(node.element, flags))
    }
    visit(node.element, before, flags, found)
    return
  }
  const [first = '', ...others] = charactersOf(node, flags)
  for (const text of [first, ...others, ...others.map((other) => first + other)]) found.repeated.add(text)
  if (!('alternatives' in node)) return
  for (const { elements } of node.alternatives) {
    let path = before
    for (const element of elements) {
      visit(element, path, flags, found)
      path += exampleOf(element, flags)
    }
    // Neighbours together, such as the ` (` between two repetitions.
    const parts = partsOf(elements, flags)
    for (let length = 1; length <= 3; length += 1) {
      for (let from = 0; from + length <= parts.length; from += 1)
        found.repeated.add(parts.slice(from, from + length).join(''))
    }
    found.repeated.add(parts.join(''))
  }
}

/** Examples of the elements of an expression, with characters that follow each other as one. */
function partsOf(elements: readonly AST.Element[], flags: string): string[] {
  const parts: string[] = []
  for (const [index, element] of elements.entries()) {
    const example = exampleOf(element, flags)
    const continues = element.type === 'Character' && elements[index - 1]?.type === 'Character'
    if (continues) parts.push((parts.pop() ?? '') + example)
    else if (example !== '') parts.push(example)
  }
  return parts
}

/** A short text that a node matches, as far as that can be known without trying. */
function exampleOf(node: AST.Element, flags: string): string {
  if (node.type === 'Quantifier') return exampleOf(node.element, flags).repeat(Math.min(Math.max(node.min, 1), MANY))
  if (node.type === 'Assertion' || node.type === 'Backreference') return ''
  if ('alternatives' in node) {
    return node.alternatives[0]?.elements.map((element) => exampleOf(element, flags)).join('') ?? ''
  }
  return charactersOf(node, flags)[0] ?? ''
}

/** A few characters that a node of one character matches. */
function charactersOf(node: Node, flags: string): string[] {
  if (node.type === 'Character') return [String.fromCodePoint(node.value)]
  if (node.type !== 'CharacterClass' && node.type !== 'CharacterSet') return []
  const expression = new RegExp(`^(?:${node.raw})$`, flags.replaceAll(/[gym]/g, ''))
  const matching = ALPHABET.filter((character) => expression.test(character))
  return [...new Set([...matching.slice(0, 4), ...matching.slice(-2)])]
}
