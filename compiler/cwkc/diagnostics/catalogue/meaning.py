"""Diagnostics of names, types and tasks."""

from cwkc.diagnostics.model import Entry, error

ENTRIES: tuple[Entry, ...] = (
    # names and types
    error("E201", "unknown-name", "nothing is called `{name}` here"),
    error(
        "E202",
        "ambiguous-name",
        "`{name}` could mean {first} or {second}",
        "rename one of them; within a call's `where`, an argument may be written `arg.{name}`",
    ),
    error("E203", "unknown-service", "no service is called `{name}` here"),
    error("E204", "unknown-member", "service `{service}` has no {kind} `{name}`"),
    error("E205", "unknown-field", "{owner} has no field `{name}`"),
    error("E206", "type-mismatch", "this is {found}, where {wanted} is wanted"),
    error("E207", "not-comparable", "`{operator}` between {left} and {right} never says anything"),
    error("E208", "no-such-operation", "`{operator}` does not go with {left} and {right}"),
    error(
        "E209",
        "quoted-record-id",
        "`{value}` is a text, where a {record} record is wanted",
        "a record is named by its id with an at sign: write `@{value}`",
    ),
    error("E210", "wrong-number-of-arguments", "`{function}` takes {wanted} values, and is given {found}"),
    error("E211", "quoted-enum-value", '`"{value}"` is a text, where a value of {enum} is wanted'),
    error("E212", "unknown-enum-value", "`{value}` is no value of {enum}"),
    error("E213", "malformed-literal", '`"{value}"` is no {wanted}'),
    error("E214", "unknown-record", "no {kind} `@{id}` exists at the start"),
    error(
        "E215",
        "question-out-of-place",
        "`{word}` asks about the run, which {place} cannot",
        "ask it in a `check`, a `require` or a `forbid`",
    ),
    error("E216", "order-of-non-calls", "`before` orders calls", "write `called A before called B`"),
    error(
        "E217",
        "tool-not-offered",
        "`{tool}` is not among the tools that this task offers, so no agent can ever call it",
        "add it to `tools`, or drop this condition",
    ),
    error("E218", "unknown-argument", "tool `{tool}` has no parameter `{name}`"),
    error("E219", "unknown-function", "no function is called `{name}`"),
    error("E220", "unknown-type", "no type is called `{name}`"),
    error("E221", "not-a-condition", "this is {found}, where a condition is wanted", "compare it with something"),
    error("E222", "truth-used-before-definition", "truth `{name}` is defined further down", "move its `let` up"),
    error("E224", "missing-field", "`{record}` lacks its field `{name}`", "write it, or give the field a default"),
    error(
        "E225",
        "may-be-null",
        "`{found}` may be null, where {wanted} is wanted",
        "make the place optional with `?`, or `fail` when it is null",
    ),
    # files
    error("E226", "import-cycle", "these files use each other in a circle: {path}", "take one `use` out of the circle"),
    error("E227", "unknown-import", "there is no {what} `{name}`"),
    # tools
    error(
        "E229",
        "insert-without-id",
        "an insert into `{store}` must say its id",
        'write `insert … at ID {{ … }}`, or give the store `ids "PREFIX-"`',
    ),
    error("E230", "division-by-zero", "this divides by zero"),
    error("E241", "unexpected-return", "tool `{tool}` returns nothing", "declare what it returns with `-> TYPE`"),
    error(
        "E242",
        "missing-return",
        "tool `{tool}` can end without returning {type}",
        "end every path with `return` or `fail`",
    ),
    error("E244", "record-out-of-place", "`@{id}` is a record of a task, which a service cannot know"),
    error("E255", "object-out-of-place", "this cannot stand here", "an object follows `insert`, `set` or a record id"),
    error("E256", "view-of-no-record", "`{name}` is no record, so it has no fields to choose from"),
    error("E257", "no-fields", "`.{name}` is asked of {found}, which has no fields"),
    error("E258", "not-a-store", "`[…]` looks up a record in a store, and this is {found}"),
    error("E259", "view-out-of-place", "`.{{…}}` chooses fields in a tool's return type and in `tools` alone"),
    error("E260", "first-of-no-list", "`first` takes a list", "write `first N of all x in …`"),
    error("E261", "bad-columns", "the columns of `csv` are written `{{ column: type, … }}`"),
    error("E262", "duplicate", "the {kind} `{name}` is there twice"),
    error("E263", "reserved-field", "`id` is every record's own id", "call the field otherwise"),
    error("E264", "shared-prefix", 'two stores mint ids that begin with "{prefix}"', "give each store its own prefix"),
    error("E265", "store-of-no-record", "`{name}` is no record of this service, so no store can hold it"),
    # tasks
    error("E231", "no-match", "`only` matches none of the {count} records", "relax a condition, or add the record"),
    error(
        "E232",
        "several-matches",
        "`only` matches {count} records: {shown}",
        "add the condition that tells them apart, or ask for `all`",
    ),
    error(
        "E233",
        "tie-at-the-cut",
        "`first {count}` cuts between {shown}, which are equal in `{key}`",
        "order by something that tells them apart, or take all of them",
    ),
    error("E234", "unknown-entry", "a task has no entry `{name}`"),
    error("E235", "bad-entry", "{wanted} is wanted here"),
    error(
        "E236",
        "incomplete-task",
        "task `{name}` has no `{missing}`",
        "a task has `now`, `request`, `tools` and a `check`",
    ),
    error("E237", "unknown-world", "no world is called `{name}`"),
    error("E238", "grade-without-task", "no task is called `{name}`, so nothing is graded here"),
    error("E239", "bad-limit", "`{written}` is no limit"),
    error(
        "E240", "not-supported-yet", "`{construct}` belongs to the language, but this compiler does not support it yet"
    ),
    error(
        "E245", "weekday-disagrees", "`{written}` is wrong: {date} is a {weekday}", "correct the weekday or the date"
    ),
    error(
        "E246",
        "dated-after-now",
        "`{field}` is {value}, later than the task's `now`",
        "date it earlier, or mark the field `scheduled` where it is declared",
    ),
    error(
        "E247",
        "two-addresses",
        "`{name}` has the address `{email}` here and `{other}` elsewhere",
        "one person has one address: make them agree, or name two people",
    ),
    error("E250", "unknown-warning", "`{code_}` is no warning, so there is nothing to allow"),
    error("E251", "amount-out-of-range", "`{written}` does not lie between 0 and 1"),
    error(
        "E252",
        "bad-frame",
        "`{written}` is nothing that can be written to",
        "name a record, a record's field or a store; `new` goes with a store",
    ),
    error("E253", "each-of-nothing", "`{name}` is empty, so there is nothing of which to earn a share"),
    error(
        "E266",
        "each-of-changing-list",
        "a share is counted over a truth alone, so that its denominator is fixed",
        "name the list with `let`, its conditions included, and write `each x in NAME: …`",
    ),
    error("E267", "computed-policy", "a policy is a plain sentence", 'write it as `"…"`'),
    error(
        "E269",
        "broken-at-the-start",
        "`{label}` does not hold at the start, so that every run breaks it",
        "correct the records, or the condition",
    ),
    # what is to be delivered
    error(
        "E270",
        "deliver-without-files",
        "`{path}` is a file, and this task has no files",
        "name the service in a `use files` at the head of the file",
    ),
    error(
        "E271",
        "format-not-supported",
        "`{format}` belongs to the language, but this compiler does not compare files of this format yet",
        "deliver it as `csv` or as `json`",
    ),
    error("E272", "unknown-format", "`{format}` is no format of a file"),
    error(
        "E273",
        "field-of-several-values",
        "`{written}` holds more than one value, or may be null, so no field of a file is of it",
        "name a type like `text`, `decimal`, `date`, or an enum; of a record, deliver its `.id` as `text`",
    ),
    error("E274", "nothing-to-deliver", "`{written}` is null, so there is nothing to compare with"),
    error(
        "E275",
        "cannot-be-written",
        "what `{name}` promises cannot be written as `{format}` so that it is read as it is meant",
        "a number has an end (`round` it), and a line of text holds no line break, nor `;` where there are rows",
    ),
    error(
        "E276",
        "repeated-key",
        "`{key}` is the key of several rows, so these cannot be told apart",
        "choose a field that differs in each row, like `.id`",
    ),
    error("E277", "empty-contract", "`{name}` has no fields, so there is nothing to deliver"),
    error("E278", "unknown-contract", "nothing is to be delivered under the name `{name}`"),
    # judges
    error(
        "E285",
        "judges-alone",
        "the score of `{task}` is the opinion of judges alone, and nothing that happened decides any of it",
        "add a `check` of what the agent is to bring about",
    ),
    error(
        "E286",
        "empty-rubric",
        "the rubric of `{label}` is empty, so a judge has nothing to go by",
        "say what earns everything and what earns nothing",
    ),
    # assets
    error("E287", "unknown-asset", "there is no file `{path}`"),
    error(
        "E288",
        "fact-with-when",
        "`{name}` is a fact of a file, and a file tells nothing later than at first",
        "leave the `when` out; what is told in the course of a run is what a `user` knows",
    ),
    error(
        "E289", "fact-without-value", "the fact `{name}` is null, so there is nothing to learn", "name a value, or leave it out"
    ),
    error(
        "E279",
        "computed-key",
        "a key is a field of the row, and is called as that field is",
        "write the row's name, a dot and a field: `key t.id`",
    ),
)
