import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { decimalSeparator } from './parts/locale.ts'
import { common } from './texts/common.ts'
import { LOCALE } from './texts/language.ts'
import tokens from './tokens.json' with { type: 'json' }

/** The help has the same ones. */
const { variables, light, dark } = tokens

const LISTS = ['Select', 'MultiSelect', 'TagsInput', 'Autocomplete']

/** One accent color, small radius, system fonts. All text has a contrast of at least 4.5:1. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 9 },
  black: variables['--mantine-color-black'],
  defaultRadius: 'md',
  autoContrast: true,
  // The luminance at which black and white contrast equally.
  luminanceThreshold: 0.179,
  respectReducedMotion: true,
  fontFamily: variables['--mantine-font-family'],
  fontFamilyMonospace: variables['--mantine-font-family-monospace'],
  headings: {
    fontWeight: variables['--mantine-heading-font-weight'],
    textWrap: 'balance',
    sizes: { h3: { fontSize: '1.125rem' } },
  },
  components: {
    // Lists of options scroll themselves: axe knows that the keyboard reaches them through their field.
    ...Object.fromEntries(LISTS.map((name) => [name, { defaultProps: { withScrollArea: false } }])),
    ComboboxOptions: { defaultProps: { mah: 260, style: { overflowY: 'auto' } } },
    // A list must have an option, also while it only says that nothing matches.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    // A menu must have nothing but its items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Badge: { defaultProps: { tt: 'none' } },
    Modal: { styles: { title: { fontWeight: 600, lineHeight: 1.3 } } },
    // A phone offers the separator of its own language, whatever the page shows.
    NumberInput: {
      defaultProps: { decimalSeparator: decimalSeparator(LOCALE), allowedDecimalSeparators: ['.', ','] },
    },
    // Names for screen readers, in the language of the page.
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': common.close } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': common.showPassword } } },
  },
})

/** Replaces Mantine's colors with too little contrast: tinted text, dimmed text and errors. */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: { '--mantine-primary-color-filled-hover': '#095c6b', '--mantine-color-cyan-filled-hover': '#095c6b' },
  light: {
    ...light,
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    ...ofEach(colors, (name) => {
      const deep = `color-mix(in srgb, var(--mantine-color-${name}-9), black 35%)`
      const tint = `color-mix(in srgb, var(--mantine-color-${name}-1) 65%, white)`
      return {
        light: tint,
        'light-hover': `var(--mantine-color-${name}-1)`,
        'light-color': deep,
        outline: deep,
        text: deep,
      }
    }),
  },
  dark: {
    ...dark,
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    ...ofEach(colors, (name) => {
      const tint = (share: number) =>
        `color-mix(in srgb, var(--mantine-color-${name}-8) ${share}%, var(--mantine-color-dark-7))`
      return { light: tint(24), 'light-hover': tint(34), 'light-color': `var(--mantine-color-${name}-1)` }
    }),
  },
})

/** Builds the variables of every color except the grays. */
function ofEach(colors: object, uses: (name: string) => Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.keys(colors).filter((name) => name !== 'dark' && name !== 'gray')
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(uses(name)).map(([use, value]) => [`--mantine-color-${name}-${use}`, value]),
    ),
  )
}
