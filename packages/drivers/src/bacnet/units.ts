/** The names of engineering units in the standard, by number; `-` for a number without one. */
const NAMES = `
  square-meters square-feet milliamperes amperes ohms volts kilovolts megavolts volt-amperes kilovolt-amperes
  megavolt-amperes volt-amperes-reactive kilovolt-amperes-reactive megavolt-amperes-reactive degrees-phase
  power-factor joules kilojoules watt-hours kilowatt-hours btus therms ton-hours joules-per-kilogram-dry-air
  btus-per-pound-dry-air cycles-per-hour cycles-per-minute hertz grams-of-water-per-kilogram-dry-air
  percent-relative-humidity millimeters meters inches feet watts-per-square-foot watts-per-square-meter lumens luxes
  foot-candles kilograms pounds-mass tons kilograms-per-second kilograms-per-minute kilograms-per-hour
  pounds-mass-per-minute pounds-mass-per-hour watts kilowatts megawatts btus-per-hour horsepower tons-refrigeration
  pascals kilopascals bars pounds-force-per-square-inch centimeters-of-water inches-of-water millimeters-of-mercury
  centimeters-of-mercury inches-of-mercury degrees-celsius degrees-kelvin degrees-fahrenheit degree-days-celsius
  degree-days-fahrenheit years months weeks days hours minutes seconds meters-per-second kilometers-per-hour
  feet-per-second feet-per-minute miles-per-hour cubic-feet cubic-meters imperial-gallons liters us-gallons
  cubic-feet-per-minute cubic-meters-per-second imperial-gallons-per-minute liters-per-second liters-per-minute
  us-gallons-per-minute degrees-angular degrees-celsius-per-hour degrees-celsius-per-minute
  degrees-fahrenheit-per-hour degrees-fahrenheit-per-minute no-units parts-per-million parts-per-billion percent
  percent-per-second per-minute per-second psi-per-degree-fahrenheit radians revolutions-per-minute currency1
  currency2 currency3 currency4 currency5 currency6 currency7 currency8 currency9 currency10 square-inches
  square-centimeters btus-per-pound centimeters pounds-mass-per-second delta-degrees-fahrenheit delta-degrees-kelvin
  kilohms megohms millivolts kilojoules-per-kilogram megajoules joules-per-degree-kelvin
  joules-per-kilogram-degree-kelvin kilohertz megahertz per-hour milliwatts hectopascals millibars
  cubic-meters-per-hour liters-per-hour kilowatt-hours-per-square-meter kilowatt-hours-per-square-foot
  megajoules-per-square-meter megajoules-per-square-foot watts-per-square-meter-degree-kelvin cubic-feet-per-second
  percent-obscuration-per-foot percent-obscuration-per-meter milliohms megawatt-hours kilo-btus mega-btus
  kilojoules-per-kilogram-dry-air megajoules-per-kilogram-dry-air kilojoules-per-degree-kelvin
  megajoules-per-degree-kelvin newton grams-per-second grams-per-minute tons-per-hour kilo-btus-per-hour
  hundredths-seconds milliseconds newton-meters millimeters-per-second millimeters-per-minute meters-per-minute
  meters-per-hour cubic-meters-per-minute meters-per-second-per-second amperes-per-meter amperes-per-square-meter
  ampere-square-meters farads henrys ohm-meters siemens siemens-per-meter teslas volts-per-degree-kelvin
  volts-per-meter webers candelas candelas-per-square-meter degrees-kelvin-per-hour degrees-kelvin-per-minute
  joule-seconds radians-per-second square-meters-per-newton kilograms-per-cubic-meter newton-seconds newtons-per-meter
  watts-per-meter-per-degree-kelvin micro-siemens cubic-feet-per-hour us-gallons-per-hour kilometers micrometers grams
  milligrams milliliters milliliters-per-second decibels decibels-millivolt decibels-volt millisiemens
  watt-hours-reactive kilowatt-hours-reactive megawatt-hours-reactive millimeters-of-water per-mille grams-per-gram
  kilograms-per-kilogram grams-per-kilogram milligrams-per-gram milligrams-per-kilogram grams-per-milliliter
  grams-per-liter milligrams-per-liter micrograms-per-liter grams-per-cubic-meter milligrams-per-cubic-meter
  micrograms-per-cubic-meter nanograms-per-cubic-meter grams-per-cubic-centimeter becquerels kilobecquerels
  megabecquerels gray milligray microgray sieverts millisieverts microsieverts microsieverts-per-hour decibels-a
  nephelometric-turbidity-unit ph grams-per-square-meter minutes-per-degree-kelvin ohm-meter-per-square-meter
  ampere-seconds volt-ampere-hours kilovolt-ampere-hours megavolt-ampere-hours volt-ampere-hours-reactive
  kilovolt-ampere-hours-reactive megavolt-ampere-hours-reactive volts-square-hours ampere-square-hours
  joules-per-hours cubic-feet-per-day cubic-meters-per-day watt-hours-per-cubic-meter joules-per-cubic-meter -
  pascal-seconds
`
  .trim()
  .split(/\s+/)

export const UNITS: ReadonlyMap<string, number> = new Map(NAMES.map((name, number) => [name, number]))

/** Returns the name of a unit in the standard; `undefined` for one that is not there. */
export const unitName = (number: number): string | undefined => (NAMES[number] === '-' ? undefined : NAMES[number])

/** How people write common units. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ amperes: 'A', volts: 'V', watts: 'W', kilowatts: 'kW', megawatts: 'MW', 'watt-hours': 'Wh', hertz: 'Hz' },
  ...{ 'kilowatt-hours': 'kWh', 'megawatt-hours': 'MWh', percent: '%', 'degrees-celsius': '°C', pascals: 'Pa' },
  ...{ 'degrees-fahrenheit': '°F', 'degrees-kelvin': 'K', 'percent-relative-humidity': '%', bars: 'bar' },
  ...{ kilopascals: 'kPa', 'cubic-meters-per-hour': 'm³/h', 'cubic-meters': 'm³', 'liters-per-second': 'l/s' },
  ...{ 'parts-per-million': 'ppm', seconds: 's', minutes: 'min', hours: 'h', 'meters-per-second': 'm/s', luxes: 'lx' },
  ...{ 'kilovolt-amperes': 'kVA', 'kilovolt-amperes-reactive': 'kvar', 'revolutions-per-minute': '1/min' },
}

/** Returns a unit as people write it. */
export const shortUnit = (name: string): string => SHORT[name] ?? name.replaceAll('-', ' ')

/** Returns the name of a unit, for people too: `degrees celsius`. */
export const unitText = (number: number) => (NAMES[number] ?? `unit ${number}`).replaceAll('-', ' ')
