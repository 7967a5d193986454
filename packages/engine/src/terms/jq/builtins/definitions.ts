/**
 * Builtins that are simplest in jq, by `name/arity`. Each is parsed when a filter first uses it. Those that output
 * a part of their input are here so that they can be followed as paths too.
 */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  'first/0': 'def first: .[0];',
  'last/0': 'def last: .[-1];',
  'nth/1': 'def nth($n): .[$n];',
  'with_entries/1': 'def with_entries(f): to_entries | map(f) | from_entries;',
  'walk/1': `
    def walk(f):
      def down: if type == "object" then map_values(down) elif type == "array" then map(down) else . end | f;
      down;`,
  'combinations/1': 'def combinations(n): . as $set | [range(n) | $set] | combinations;',
  'in/1': 'def in(container): . as $key | container | has($key);',
  'inside/1': 'def inside(container): . as $part | container | contains($part);',
  'todate/0': 'def todate: strftime("%Y-%m-%dT%H:%M:%SZ");',
  'todateiso8601/0': 'def todateiso8601: todate;',
  'fromdateiso8601/0': 'def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;',
  'fromdate/0': 'def fromdate: fromdateiso8601;',
  'date/0': 'def date: todate;',
  'dateadd/2': 'def dateadd(unit; n): . + n;',
  'datesub/2': 'def datesub(unit; n): . - n;',
  'fromstream/1': `
    def fromstream(events):
      foreach events as $event ({};
        if .done then {} else . end
        | if $event | length == 2
          then setpath(["value"] + $event[0]; $event[1]) | .done = ($event[0] | length == 0)
          else .done = ($event[0] | length == 1)
          end;
        if .done then .value else empty end);`,
  'truncate_stream/1': `
    def truncate_stream(events):
      . as $depth | null | events | select(.[0] | length > $depth) | .[0] |= .[$depth:];`,
  'INDEX/2': 'def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] = $row);',
  'INDEX/1': 'def INDEX(key): INDEX(.[]; key);',
  'JOIN/2': 'def JOIN($index; key): [.[] | [., $index[key]]];',
  'JOIN/3': 'def JOIN($index; rows; key): rows | [., $index[key]];',
  'JOIN/4': 'def JOIN($index; rows; key; join): rows | [., $index[key]] | join;',
  'IN/2': 'def IN(source; values): any(source == values; .);',
  'inputs/0': 'def inputs: empty;',
  'ascii/0': 'def ascii: [.] | implode;',
  'finites/0': 'def finites: select(isfinite);',
  'normals/0': 'def normals: select(isnormal);',
  'isvalid/1': 'def isvalid(f): try (f | true) catch false;',
  'leaf_paths/0': 'def leaf_paths: paths(scalars);',
  'recurse_down/0': 'def recurse_down: recurse;',
  'get_search_list/0': 'def get_search_list: [];',
}
