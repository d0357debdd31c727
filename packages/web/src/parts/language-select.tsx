import { NativeSelect } from '@mantine/core'
import { LANGUAGES } from '@plantroom/contract/languages'
import { browserStorage } from '../browser-storage.ts'
import { keepForBrowser } from '../texts/choice/kept-choice.ts'
import { TEXT_LOCALE } from '../texts/language.ts'
import { languageNames, languageChoice as texts } from '../texts/languages.ts'

/** Chooses the language of this browser, for people who have not signed in. */
export function LanguageSelect() {
  return (
    <NativeSelect
      size="xs"
      aria-label={texts.language}
      data={LANGUAGES.map((value) => ({ value, label: languageNames[value], lang: value }))}
      value={TEXT_LOCALE}
      onChange={({ currentTarget }) => {
        keepForBrowser(browserStorage(), currentTarget.value)
        // Texts are read once, when a page starts.
        window.location.reload()
      }}
    />
  )
}
