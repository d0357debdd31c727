/** Letters that Unicode does not take apart into a letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ß: 'ss', ø: 'o', œ: 'oe', æ: 'ae', '’': "'" }

/**
 * Compares texts that people and programs write differently: case, accents, Unicode form, punctuation and spaces do not
 * count, nor does camelCase. Some exports lose accents, so `Priorite` is `Priorité`.
 */
export function folded(text: string): string {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[łßøœæ’]/g, (letter) => PLAIN[letter] ?? letter)
    .replaceAll(/[\s_\-./:*()#]+/g, ' ')
    .trim()
}
