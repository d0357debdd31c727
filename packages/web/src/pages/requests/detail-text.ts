/** Such as `Estonian (et)`; what names no language stays as it is. */
export function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code)
    return name ? `${name} (${code})` : code
  } catch {
    return code
  }
}

/** Nothing in an address can add to the link: it is all the address. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
}

/** What a phone can dial; `undefined` for a text without figures. */
export function phoneLink(phone: string): string | undefined {
  const dialled = phone.replace(/[^0-9+*#]/g, '')
  return /[0-9]/.test(dialled) ? `tel:${dialled}` : undefined
}
