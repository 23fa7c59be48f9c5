//! Tables: what the engine refuses of them, the schema refuses.

use super::assert_alike;

#[test]
fn mistakes_of_a_table_are_refused_by_both() {
    let table = |rest: &str| format!("version = 1\n[[table]]\n{rest}\n");
    assert_alike(
        table,
        &[
            (
                "name = 't'\nscenarios = ['*']\nrows = 'n'\nmetrics = ['allocs']",
                true,
            ),
            ("scenarios = ['*']\nrows = 'n'\nmetrics = ['allocs']", false),
            ("name = 't'\nrows = 'n'\nmetrics = ['allocs']", false),
            ("name = 't'\nscenarios = ['*']\nmetrics = ['allocs']", false),
            ("name = 't'\nscenarios = ['*']\nrows = 'n'", false),
        ],
    );
    let valid = |rest: &str| {
        format!("version = 1\n[[table]]\nname = 't'\nscenarios = ['*']\nrows = 'n'\n{rest}\n")
    };
    assert_alike(
        valid,
        &[
            ("metrics = []", false),
            ("metrics = 'allocs'", false),
            ("metrics = [1]", false),
            ("metrics = [{ metric = 'bytes' }]", true),
            ("metrics = [{ metric = 'bytes', statistic = 'max' }]", true),
            (
                "metrics = [{ metric = 'bytes', statistic = 'growth' }]",
                false,
            ),
            ("metrics = [{ metric = 'bytes', statistic = 'mox' }]", false),
            ("metrics = [{ metric = 'bytes', unit = 'bytes' }]", false),
            ("metrics = [{ statistic = 'max' }]", false),
            ("metrics = [{ metric = 'bytes', max = 1 }]", false),
            ("metrics = ['allocs']\ncolumns = 'impl'", true),
            ("metrics = ['allocs']\ncolumns = 'scenario'", true),
            ("metrics = ['allocs']\ncolumns = ''", false),
            ("metrics = ['allocs']\nbaseline = 'old'", false),
            ("metrics = ['allocs']\nexclude = ['']", false),
            (
                "metrics = ['allocs']\npackage = 'codec*'\nbench = 'b'",
                true,
            ),
            ("metrics = ['allocs']\nbench = 3", false),
            ("metrics = ['allocs']\ncaption = ''", true),
            ("metrics = ['allocs']\nreason = 'a'", false),
        ],
    );
}
