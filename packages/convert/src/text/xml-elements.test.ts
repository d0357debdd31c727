import { expect, test } from 'vitest'
import { written } from '../testing/read-all.ts'
import { readXmlElements } from './xml-elements.ts'

async function read(xml: string): Promise<string[]> {
  const texts: string[] = []
  for await (const { text } of readXmlElements(written({ 'a.xml': xml })[0] ?? '', 'item')) texts.push(text)
  return texts
}

test('an element contains the text of its children, entities and CDATA', async () => {
  expect(await read('<r><item>a<b>&lt;b&gt;</b><![CDATA[<c>]]>&#245;</item> <other/> <item/></r>')).toEqual([
    'a<b><c>õ',
    '',
  ])
})

test('an element within one of the same name belongs to it', async () => {
  expect(await read('<r><item>a<item>b</item></item></r>')).toEqual(['ab'])
})

test('an attribute without end is refused after 16 MB', async () => {
  await expect(read(`<r><item a="${'a'.repeat(17_000_000)}`)).rejects.toThrow(/a text has more than 16 MB/)
})

test('comments one after another are no text without end', async () => {
  const comments = `<!--${'a'.repeat(6_000_000)}-->`.repeat(3)
  expect(await read(`<r>${comments}<item>b</item></r>`)).toEqual(['b'])
})

test('an element of too many parts is refused', async () => {
  await expect(read(`<r><item>${'<a/>'.repeat(200_001)}</item></r>`)).rejects.toThrow(/more than 200000 parts/)
})
